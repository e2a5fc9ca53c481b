import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliCompress, createGzip, createZstdCompress } from 'node:zlib';
import type { Request, Response } from 'express';
import { LEVELS, codingFor, type ContentCoding } from './send.js';

const COMPRESSORS: Readonly<Record<ContentCoding, () => NodeJS.ReadWriteStream>> = {
  zstd: () => createZstdCompress(LEVELS.zstd),
  br: () => createBrotliCompress(LEVELS.br),
  gzip: () => createGzip(LEVELS.gzip),
};

/**
 * Sends a download of unknown length as its parts are made, and makes no more of them than its client takes. If a part
 * fails, the connection is cut, so that no client takes what it has for the whole.
 */
export async function sendStream(
  request: Request,
  response: Response,
  { contentType, fileName }: { readonly contentType: string; readonly fileName: string },
  parts: AsyncIterable<Buffer>,
): Promise<void> {
  response.vary('Accept-Encoding');
  const coding = codingFor(request);
  response.writeHead(200, {
    'Content-Type': contentType,
    'Content-Disposition': `attachment; filename="${fileName}"`,
    ...(coding && { 'Content-Encoding': coding }),
  });
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  const source = Readable.from(parts, { objectMode: true, highWaterMark: 1 });
  try {
    await (coding ? pipeline(source, COMPRESSORS[coding](), response) : pipeline(source, response));
  } catch (error) {
    // A client that has gone is no failure.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}
