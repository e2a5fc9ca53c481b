import type { Pace } from '../../platform/report/progress.js';
import { CHAIN_KINDS, type ChainKind } from './event.selection.js';

export interface ChainName {
  readonly kind: ChainKind;
  /** The id of the account, or the program. */
  readonly of: string;
}

/** The last event of a chain. */
export interface ChainHead extends ChainName {
  readonly seq: number;
  /** Hexadecimal digits. */
  readonly hash: string;
}

/**
 * `changed`: the event differs from its hash. `missing`: events before it, or those up to a known head, do not exist.
 * `end`: it is the last event of its account, and the account names another one; 0 stands for none. `unchained`: it is
 * in no chain, so only its id is known.
 */
export type BrokenLink =
  | (ChainName & { readonly seq: number; readonly problem: 'changed' | 'missing' | 'end' })
  | { readonly id: string; readonly problem: 'unchained' };

/** The progress of a verification. */
export class ChainTally implements Pace {
  readonly broken: BrokenLink[] = [];
  /** The last event that was seen of each chain. */
  readonly heads = new ChainHeads();
  readonly events: Record<ChainKind, number> = { account: 0, program: 0, denied: 0 };
  private readonly startedMs = performance.now();

  get rows(): number {
    return CHAIN_KINDS.reduce((rows, kind) => rows + this.events[kind], 0);
  }

  get seconds(): number {
    return (performance.now() - this.startedMs) / 1000;
  }

  get rowsPerSecond(): number {
    return Math.round(this.rows / Math.max(this.seconds, 0.001));
  }

  get failures(): string {
    return this.broken.length > 0 ? `${this.broken.length} broken` : '';
  }
}

/** The last events of chains. */
export class ChainHeads {
  readonly account = new Map<string, ChainHead>();
  readonly program = new Map<string, ChainHead>();
  readonly denied = new Map<string, ChainHead>();

  constructor(heads: Iterable<ChainHead> = []) {
    for (const head of heads) this[head.kind].set(head.of, head);
  }

  all(): ChainHead[] {
    return CHAIN_KINDS.flatMap(kind => [...this[kind].values()]);
  }
}
