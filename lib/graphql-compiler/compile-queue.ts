import { setTimeout as sleep } from 'node:timers/promises';
import type { DocumentNode, OperationDefinitionNode } from 'graphql';
import type { Variables } from './arguments.js';
import type { Compiler } from './compiler.js';
import type { Variant, Variants } from './variants.js';

/** Compiling takes some milliseconds, so an operation must first be answered this often without errors. */
const COMPILE_AT_ANSWER = 3;
/** If the queue is full, the next answer of an operation queues it. */
const MAX_WAITING = 100;
/** The longest delay of compiling while requests are being answered, and the pause between two looks of the queue. */
const MAX_DELAY_MS = 200;
const LOOK_EVERY_MS = 5;
/** After each compilation the queue rests this many times as long, so that compiling takes at most 5 % of the time. */
const REST = 20;

/** An operation that may be compiled. */
export interface CompileCandidate {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly variants: Variants;
}

interface Job {
  readonly of: CompileCandidate;
  readonly variant: Variant;
  readonly queuedMs: number;
}

/** Compiles operations one after another, between requests where possible. */
export class CompileQueue {
  private readonly jobs: Job[] = [];
  private isRunning = false;
  /** The number of operations that were compiled since the start. */
  compiled = 0;

  constructor(
    private readonly compiler: Compiler,
    /** True if requests are being answered. */
    private readonly isBusy: () => boolean,
    /** Is called after an operation was compiled, when it takes more memory. */
    private readonly onCompiled: (of: CompileCandidate) => void,
  ) {}

  get length(): number {
    return this.jobs.length;
  }

  /** Counts an answer without errors, and queues the operation if that makes it worth compiling. */
  answered(of: CompileCandidate, variables: Variables): void {
    const variant = of.variants.answered(variables);
    if (!variant || variant.compiled !== undefined || variant.answers < COMPILE_AT_ANSWER) return;
    if (this.jobs.length >= MAX_WAITING || this.jobs.some(job => job.variant === variant)) return;
    this.jobs.push({ of, variant, queuedMs: performance.now() });
    if (!this.isRunning) void this.run();
  }

  stop(): void {
    this.jobs.length = 0;
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    while (this.jobs.length > 0) {
      await pause(LOOK_EVERY_MS);
      const [job] = this.jobs;
      if (!job || (this.isBusy() && performance.now() - job.queuedMs < MAX_DELAY_MS)) continue;
      const startedMs = performance.now();
      this.compile(job);
      await pause(REST * (performance.now() - startedMs));
    }
    this.isRunning = false;
  }

  private compile({ of, variant }: Job): void {
    this.jobs.shift();
    variant.compiled = this.compiler.compile(of.document, of.operation, variant.includes);
    if (variant.compiled) this.compiled += 1;
    this.onCompiled(of);
  }
}

/** A wait that does not keep the process alive. */
function pause(ms: number): Promise<void> {
  return sleep(ms, undefined, { ref: false });
}
