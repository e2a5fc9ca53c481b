import { send } from '../../client/graphql.js';
import { tellChanged } from '../../client/changes.js';
import { asProblem, type Problem } from '../../client/problem.js';
import { ConsoleImportDocument, type ColumnMapInput, type ImportKind } from '../../generated/graphql.js';
import { csvPiecesOf } from './csv-pieces.js';
import { piecesOf, type Fault, type Piece } from './pieces.js';

/** The cut of a file of CSV, and the map that is sent with its pieces. */
export interface CsvOrder {
  readonly headerLine: number;
  readonly separator: string | null;
  readonly map: { readonly map: ColumnMapInput } | { readonly mapText: string };
}

export interface ImportOrder {
  readonly kind: ImportKind;
  readonly file: File;
  /** The order by which rows of CSV are records; null where the file has lines of JSON. */
  readonly csv: CsvOrder | null;
  /** True if the lines are only checked. */
  readonly dryRun: boolean;
  /** The person who imports: another person does not see it. */
  readonly subject: string;
}

/** The progress of an import. */
export interface ImportProgress {
  readonly phase: 'running' | 'stopping' | 'stopped' | 'done';
  /** Bytes of the file that have been read. */
  readonly bytes: number;
  /** The last line that was dealt with. */
  readonly lastLine: number;
  readonly read: number;
  readonly written: number;
  readonly unchanged: number;
  readonly rejected: number;
  readonly faults: readonly Fault[];
  readonly seconds: number;
  /** Why it waits before it tries again, or why it was stopped. */
  readonly problem?: Problem | undefined;
}

/** More faults than these are counted, and not kept. */
export const MAX_FAULTS = 100_000;
const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 30_000;
const MAX_ATTEMPTS = 8;

/**
 * Imports a file piece by piece. Each piece has a key of its own and is sent again with the same key when no answer
 * came, so it is imported once. It goes on while another screen is shown.
 */
export class ImportJob {
  progress: ImportProgress = {
    phase: 'stopped',
    bytes: 0,
    lastLine: 0,
    read: 0,
    written: 0,
    unchanged: 0,
    rejected: 0,
    seconds: 0,
    faults: [],
  };
  private readonly pieces: AsyncGenerator<Piece, void>;
  /** The piece that has no answer yet, with its key. */
  private pending: { readonly piece: Piece; readonly key: string } | null = null;
  private readonly listeners = new Set<() => void>();
  private wake: (() => void) | null = null;

  /** All pieces of a file have it, so that they are one import for those who read the changes. */
  private readonly requestId = crypto.randomUUID();

  constructor(readonly order: ImportOrder) {
    const { file, csv } = order;
    const onRead = (bytes: number): void => {
      this.progress = { ...this.progress, bytes };
    };
    this.pieces = csv === null ? piecesOf(file, onRead) : csvPiecesOf(file, csv, onRead);
  }

  /** Calls back whenever `progress` changes. Gives what ends that. */
  watch(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Begins, or goes on where it was stopped. */
  async goOn(): Promise<void> {
    if (this.progress.phase !== 'stopped') return;
    const startedMs = performance.now() - this.progress.seconds * 1000;
    this.set({ phase: 'running', problem: undefined });
    try {
      for (;;) {
        this.pending ??= await this.next();
        if (this.pending === null) break;
        await this.importPiece(this.pending.piece, this.pending.key);
        this.pending = null;
        this.set({ seconds: (performance.now() - startedMs) / 1000 });
        if (this.isStopping) return this.set({ phase: 'stopped' });
      }
      this.set({ phase: 'done', problem: undefined });
    } catch (error) {
      this.set({ phase: 'stopped', problem: asProblem(error) });
    }
    if (!this.order.dryRun) tellChanged();
  }

  /** Lets the piece that is sent come to its end, and sends no other. */
  stop(): void {
    if (this.progress.phase !== 'running') return;
    this.set({ phase: 'stopping' });
    this.wake?.();
  }

  private get isStopping(): boolean {
    return this.progress.phase === 'stopping';
  }

  private async next(): Promise<{ readonly piece: Piece; readonly key: string } | null> {
    const next = await this.pieces.next();
    return next.done ? null : { piece: next.value, key: crypto.randomUUID() };
  }

  private async importPiece(piece: Piece, key: string): Promise<void> {
    const { firstLine, count, text, faults } = piece;
    const result = text.trim() === '' ? null : await this.sendUntilAnswered(piece, key);
    const found = [...faults, ...(result?.rejected ?? [])].toSorted((one, other) => one.line - other.line);
    const { progress } = this;
    this.set({
      lastLine: firstLine + count - 1,
      read: progress.read + (result?.readCount ?? 0) + faults.length,
      written: progress.written + (result?.writtenCount ?? 0),
      unchanged: progress.unchanged + (result?.unchangedCount ?? 0),
      rejected: progress.rejected + new Set(found.map(({ line }) => line)).size,
      faults: found.length > 0 ? [...progress.faults, ...found].slice(0, MAX_FAULTS) : progress.faults,
      problem: undefined,
    });
  }

  /** Throws the `Problem` when trying again would not help, when it did not help, or when somebody stops meanwhile. */
  private async sendUntilAnswered({ text: lines, firstLine }: Piece, key: string) {
    const { kind, dryRun, csv } = this.order;
    const input = { kind, lines, firstLine, ...csv?.map, dryRun };
    const { requestId } = this;
    for (let attempt = 1, pauseMs = FIRST_PAUSE_MS; ; attempt++, pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 2)) {
      try {
        const answer = await send(ConsoleImportDocument, { input }, { key, requestId });
        return answer.importRecords?.result;
      } catch (error) {
        const problem = asProblem(error);
        if (!problem.isUncertain || attempt === MAX_ATTEMPTS || this.isStopping) throw problem;
        this.set({ problem });
        await this.pause(pauseMs);
        if (this.isStopping) throw problem;
      }
    }
  }

  private pause(ms: number): Promise<void> {
    return new Promise(resolve => {
      const timer = setTimeout(resolve, ms);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  private set(changes: Partial<ImportProgress>): void {
    this.progress = { ...this.progress, ...changes };
    for (const listener of this.listeners) listener();
  }
}
