import v8 from 'node:v8';

/**
 * Keeps this process's memory near what is in use. Commands that work through all rows make garbage by the batch, and V8 would let
 * hundreds of megabytes of it stand before it collects any. With these two settings, which V8 reads at each collection, it uses half
 * the memory for the same speed. Not for the gateway: its answers would wait for the more frequent collections.
 */
export function keepHeapSmall(): void {
  v8.setFlagsFromString('--heap-growing-percent=40');
  v8.setFlagsFromString('--semi-space-growth-factor=1');
}
