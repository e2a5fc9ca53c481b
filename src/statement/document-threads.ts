import { extname } from 'node:path';
import { Piscina } from 'piscina';
import type { PdfProblem } from '../../lib/pdf-check/problem.js';
import type { StatementContent, TaxFormContent } from './statement.content.js';

/** A thread that has nothing to do is given up: fonts take memory. */
const IDLE_MS = 30_000;

/** What a thread may hold: the longest statement takes half of it. Without a limit each would let hundreds of megabytes of garbage stand. */
const LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 };

/** Draws documents, and looks into those of others, in threads of their own: requests are answered meanwhile. */
export class DocumentThreads {
  private readonly threads: Piscina;

  /** The threads are started when there is something to do. */
  constructor(maxThreads: number) {
    // Beside this file, in whichever form it runs: compiled, or as it is written.
    const filename = new URL(`./document-thread${extname(import.meta.url)}`, import.meta.url).href;
    this.threads = new Piscina({
      ...{ filename, minThreads: 0, maxThreads, idleTimeout: IDLE_MS, resourceLimits: LIMITS },
      // Else a busy thread sleeps on a lock between two tasks and never turns its event loop, and what the loop would free stays:
      // some 25 kB for each document.
      atomics: 'disabled',
    });
  }

  /** The PDF of a document. */
  async render(content: StatementContent | TaxFormContent): Promise<Buffer> {
    const { buffer, byteOffset, byteLength } = (await this.threads.run(content, { name: 'render' })) as Uint8Array;
    return Buffer.from(buffer, byteOffset, byteLength);
  }

  /** What is wrong with a PDF, or null: see `checkPdf`. */
  async check(pdf: Buffer): Promise<PdfProblem | null> {
    return (await this.threads.run(pdf, { name: 'check' })) as PdfProblem | null;
  }

  /** Ends the threads, whatever they do. */
  async close(): Promise<void> {
    await this.threads.destroy();
  }
}
