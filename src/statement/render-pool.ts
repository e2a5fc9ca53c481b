import { extname } from 'node:path';
import { Piscina } from 'piscina';
import type { StatementContent, TaxFormContent } from './statement.content.js';

/** A thread that has nothing to do is given up: fonts take memory. */
const IDLE_MS = 30_000;

/** Draws documents in threads of their own, so that requests are answered meanwhile. */
export class RenderPool {
  private readonly threads: Piscina<StatementContent | TaxFormContent, Uint8Array>;

  /** The threads are started when there is something to draw. */
  constructor(maxThreads: number) {
    // Beside this file, in whichever form it runs: compiled, or as it is written.
    const filename = new URL(`./render-thread${extname(import.meta.url)}`, import.meta.url).href;
    this.threads = new Piscina({ filename, minThreads: 0, maxThreads, idleTimeout: IDLE_MS });
  }

  /** The PDF of a document. */
  async render(content: StatementContent | TaxFormContent): Promise<Buffer> {
    const { buffer, byteOffset, byteLength } = await this.threads.run(content, { name: 'render' });
    return Buffer.from(buffer, byteOffset, byteLength);
  }

  /** Ends the threads, whatever they do. */
  async close(): Promise<void> {
    await this.threads.destroy();
  }
}
