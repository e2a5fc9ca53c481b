import { extname } from 'node:path';
import type { Piscina } from 'piscina';
import type { PdfProblem } from '../../../lib/pdf-check/problem.js';
import type { RenderedDocument, RenderRequest } from './document-thread.js';
import type { Logo } from './statement.content.js';
import type { DocumentType } from './statement.entity.js';

/** An idle thread is ended, because fonts take memory. */
const IDLE_MS = 30_000;

/** The longest statement takes half of it. Without a limit each thread would keep hundreds of megabytes of garbage. */
const LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 };

/** The layouts of documents that the bank itself issues. */
const LAYOUTS: Readonly<Record<string, string>> = {
  STATEMENTS: './pdf/statement.layout',
  ACCOUNT_REPORT: './pdf/report.layout',
};

/** Draws documents, and checks those of partners, in threads, so that requests are answered meanwhile. */
export class DocumentThreads {
  private threads: Promise<Piscina> | null = null;

  /**
   * The first tasks start the threads, and load what runs them. `layouts` has the modules that lay out documents of
   * other types than `LAYOUTS`.
   */
  constructor(
    private readonly maxThreads: number,
    private readonly layouts: Readonly<Record<string, URL>>,
  ) {}

  /** The PDF of a document, and whether it shows all letters as they are written. */
  async render(
    documentType: DocumentType | 'ACCOUNT_REPORT',
    content: RenderRequest['content'],
    logo: Logo | null,
  ): Promise<{ readonly pdf: Buffer; readonly isFlawed: boolean }> {
    const own = LAYOUTS[documentType];
    const layout = own === undefined ? this.layouts[documentType] : beside(own);
    if (!layout) throw new Error(`no noun has a layout of documents of the type ${documentType}`);
    const rendering: RenderRequest = { layout: layout.href, content, logo };
    const { pdf, isFlawed } = (await this.run('render', rendering)) as RenderedDocument;
    return { pdf: Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength), isFlawed };
  }

  /** The fault of a PDF, or null: see `checkPdf`. */
  async check(pdf: Buffer): Promise<PdfProblem | null> {
    return (await this.run('check', pdf)) as PdfProblem | null;
  }

  /** Ends the threads, even those with a task. */
  async close(): Promise<void> {
    await (await this.threads)?.destroy();
  }

  private async run(name: string, task: unknown): Promise<unknown> {
    this.threads ??= this.start();
    return (await this.threads).run(task, { name });
  }

  private async start(): Promise<Piscina> {
    const { Piscina } = await import('piscina');
    return new Piscina({
      filename: beside('./document-thread').href,
      minThreads: 0,
      maxThreads: this.maxThreads,
      idleTimeout: IDLE_MS,
      resourceLimits: LIMITS,
      // Otherwise a busy thread sleeps on a lock between two tasks and never runs its event loop, so what the loop
      // would free stays: some 25 kB for each document.
      atomics: 'disabled',
    });
  }
}

/** A module of this folder, compiled or as it is written. */
function beside(path: string): URL {
  return new URL(`${path}${extname(import.meta.url)}`, import.meta.url);
}
