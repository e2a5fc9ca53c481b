const GZIP = [0x1f, 0x8b];

/** The bytes of a file, unzipped if they are gzip. `onRead` hears how many bytes of the file have been read. */
export async function* bytesOf(file: File, onRead: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  const reader = (await streamOf(file, onRead)).getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    // A reader that stops early needs no more of the file.
    await reader.cancel().catch(() => undefined);
  }
}

async function streamOf(file: File, onRead: (bytes: number) => void): Promise<ReadableStream<Uint8Array>> {
  const head = new Uint8Array(await file.slice(0, GZIP.length).arrayBuffer());
  let read = 0;
  const counted = file.stream().pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform: (chunk, controller) => {
        read += chunk.length;
        onRead(read);
        controller.enqueue(chunk);
      },
    }),
  );
  const isGzip = GZIP.every((byte, index) => head[index] === byte);
  return isGzip ? counted.pipeThrough(new DecompressionStream('gzip')) : counted;
}
