import type { Compiler } from './compiled-operation.js';
import type { KnownDocuments } from './known-documents.js';
import type { KnownOperation } from './known-operation.js';
import type { Variables } from './argument-values.js';
import type { Variant } from './variants.js';

/** Compiling takes some milliseconds, so an operation has to be answered this often, without errors, before it is worth them. */
const COMPILE_AT_ANSWER = 3;
/** So many wait to be compiled. What finds no place is noted again with its next answer. */
const MAX_WAITING = 100;
/** A moment at which no request is worked on is waited for so long, and looked for so often. */
const PATIENCE_MS = 200;
const LOOK_EVERY_MS = 5;
/** After compiling, so many times as long is left to requests: at most one part in twenty of the time is for compiling. */
const REST = 20;

interface Waiting {
  readonly known: KnownOperation;
  readonly text: string;
  readonly variant: Variant;
  readonly sinceMs: number;
}

/** Compiles what has earned it, one after another, where it holds up nobody. */
export class CompileQueue {
  private readonly waiting: Waiting[] = [];
  private timer: NodeJS.Timeout | null = null;
  private readyAtMs = 0;
  /** How many were compiled since the start. */
  compiled = 0;

  constructor(
    private readonly compiler: Compiler,
    private readonly documents: KnownDocuments,
    /** Whether requests are being worked on. */
    private readonly isBusy: () => boolean,
  ) {}

  get length(): number {
    return this.waiting.length;
  }

  /** Notes that an operation was answered without an error. */
  answered(text: string, known: KnownOperation, variables: Variables): void {
    if (known.isWrite && known.rootFields !== 1) return;
    const variant = known.variants.answered(variables);
    if (!variant || variant.compiled !== undefined || variant.answers < COMPILE_AT_ANSWER) return;
    if (this.waiting.length >= MAX_WAITING || this.waiting.some(one => one.variant === variant)) return;
    this.waiting.push({ known, text, variant, sinceMs: performance.now() });
    this.timer ??= this.lookLater();
  }

  stop(): void {
    if (this.timer) clearTimeout(this.timer);
    this.waiting.length = 0;
  }

  private lookLater(): NodeJS.Timeout {
    return setTimeout(() => this.look(), Math.max(LOOK_EVERY_MS, this.readyAtMs - performance.now())).unref();
  }

  private look(): void {
    const [next] = this.waiting;
    if (next && (!this.isBusy() || performance.now() - next.sinceMs >= PATIENCE_MS)) {
      this.waiting.shift();
      this.compile(next);
    }
    this.timer = this.waiting.length > 0 ? this.lookLater() : null;
  }

  private compile({ known, text, variant }: Waiting): void {
    const startedMs = performance.now();
    variant.compiled = this.compiler.compile(known.document, known.operation, variant.includes);
    if (variant.compiled) this.compiled += 1;
    this.documents.weighAnew(text);
    const now = performance.now();
    this.readyAtMs = now + REST * (now - startedMs);
  }
}
