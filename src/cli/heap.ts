import v8 from 'node:v8';

/**
 * Keeps the memory of a command near what is in use. An import and the issue of documents make garbage by the batch, and V8 would let
 * hundreds of megabytes of it stand before it collects any. With these two settings, which V8 reads at each collection, it uses half the
 * memory for the same speed.
 */
export function keepHeapSmall(): void {
  v8.setFlagsFromString('--heap-growing-percent=40');
  v8.setFlagsFromString('--semi-space-growth-factor=1');
}

/**
 * The same for the gateway, whose answers must not wait for collections that come more often: what outlives its request may grow by half
 * before it is looked through. What does not is in the young generation, which `npm start` and the image make large enough for the requests
 * of a moment (`--max-semi-space-size`, in MB; it can only be set when a process starts). And nothing is born old: V8 would watch where the
 * objects are made that survive its first collections, and make those of the same places old for good. Nor is memory given back in quiet
 * times: after the collections that V8 makes for that, the next seconds of load cost up to twice as much (docs/adr/0016). And V8 keeps no
 * functions of compiled operations for the case that their text comes again: they would stay behind in memory when they leave our cache.
 */
export function keepHeapNearUse(): void {
  v8.setFlagsFromString('--heap-growing-percent=50');
  v8.setFlagsFromString('--no-allocation-site-pretenuring');
  v8.setFlagsFromString('--memory-reducer-gc-count=0');
  v8.setFlagsFromString('--no-compilation-cache');
}
