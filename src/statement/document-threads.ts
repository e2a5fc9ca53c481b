import { extname } from 'node:path';
import { Piscina } from 'piscina';
import type { PdfProblem } from '../../lib/pdf-check/problem.js';
import type { Rendering } from './document-thread.js';
import type { Logo, StatementContent, TaxFormContent } from './statement.content.js';

/** An idle thread is ended, because fonts take memory. */
const IDLE_MS = 30_000;

/** The longest statement takes half of it. Without a limit each thread would keep hundreds of megabytes of garbage. */
const LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 };

/** Draws documents, and checks those of partners, in threads, so that requests are answered meanwhile. */
export class DocumentThreads {
  private readonly threads: Piscina;

  /** The first tasks start the threads. */
  constructor(maxThreads: number) {
    this.threads = new Piscina({
      // Beside this file, compiled or as it is written.
      filename: new URL(`./document-thread${extname(import.meta.url)}`, import.meta.url).href,
      minThreads: 0,
      maxThreads,
      idleTimeout: IDLE_MS,
      resourceLimits: LIMITS,
      // Otherwise a busy thread sleeps on a lock between two tasks and never runs its event loop, so what the loop
      // would free stays: some 25 kB for each document.
      atomics: 'disabled',
    });
  }

  /** The PDF of a document. */
  async render(content: StatementContent | TaxFormContent, logo: Logo | null): Promise<Buffer> {
    const rendering: Rendering = { content, logo };
    const { buffer, byteOffset, byteLength } = (await this.threads.run(rendering, { name: 'render' })) as Uint8Array;
    return Buffer.from(buffer, byteOffset, byteLength);
  }

  /** What is wrong with a PDF, or null: see `checkPdf`. */
  async check(pdf: Buffer): Promise<PdfProblem | null> {
    return (await this.threads.run(pdf, { name: 'check' })) as PdfProblem | null;
  }

  /** Ends the threads, even those with a task. */
  async close(): Promise<void> {
    await this.threads.destroy();
  }
}
