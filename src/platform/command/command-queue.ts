import type { AsyncResource } from 'node:async_hooks';
import { KeyTable } from '../../../lib/collections/in-progress.js';
import { inTurns } from '../../../lib/collections/turn-list.js';
import { sharerOf } from '../../shared/caller.js';
import { Unavailable } from '../../shared/errors.js';
import { outOfTime } from '../database/deadline.js';
import type { Database } from '../database/orm.js';
import type { LockTarget } from './command.js';
import type { PendingCommand, SettledCommand } from './decision.js';

/**
 * Waiting commands are shared out among the groups that may run at once: in one group all commands would wait for the
 * database together, and then the database for all of them. Groups smaller than the small one would save no time. Sizes
 * are sums of weights.
 */
const LARGE_GROUP = 32;
const GROUPS = { atOnce: 3, small: 16, large: LARGE_GROUP };
/**
 * From so many commands on that wait for one account, they go together in a transaction of their own, one step after
 * another: each takes a round trip, and all of them one COMMIT. Others would wait for the steps too, so none is with
 * them. Fewer gain nothing, since they keep others from large groups.
 */
const HOT = 4;
const MAX_STEPS = 8;
/**
 * On Citus a command is a transaction of its own: one that writes on a single node is committed without being prepared
 * there, and a node that is away holds up no command about accounts of another.
 */
const GROUPS_ON_CITUS = { atOnce: 6, small: 1, large: 1 };
const MAX_WAITING = 10_000;

/** A command that waits for its transaction, or is in one. */
export interface QueuedCommand<Subject> {
  readonly command: PendingCommand<Subject>;
  /** The targets of the command. */
  readonly targets: readonly LockTarget[];
  readonly resolve: (settled: SettledCommand) => void;
  readonly reject: (error: unknown) => void;
  /** The context of its request, for what is done for this command alone: its deadline, its trace. */
  readonly request: AsyncResource;
}

/** A command in the queue. */
export interface WaitingCommand<Subject> extends QueuedCommand<Subject> {
  readonly weight: number;
  /** The things about which commands go one after another. */
  readonly names: readonly string[];
}

/** The commands of a transaction, by its steps. No two of a step are about one account. */
export type Group<Subject> = readonly (readonly WaitingCommand<Subject>[])[];

/** The commands that wait, and the accounts of those that run: it says which commands share a transaction. */
export class CommandQueue<Subject> {
  private waiting: WaitingCommand<Subject>[] = [];
  /** The number of commands that run about an account: the next command about it is of a later group. */
  private readonly busy = new KeyTable<number>();

  constructor(private readonly cluster: Pick<Database['cluster'], 'isApart'>) {}

  get isEmpty(): boolean {
    return this.waiting.length === 0;
  }

  /** The number of groups that may run at once. */
  get atOnce(): number {
    return this.groups.atOnce;
  }

  /** Throws `Unavailable` where too many wait. */
  add(one: QueuedCommand<Subject>): void {
    if (this.waiting.length >= MAX_WAITING) {
      throw new Unavailable('Too many writes are waiting for the database. Try again in a moment.');
    }
    const { kind, input } = one.command;
    const weight = Math.min(kind.work.weight?.(input) ?? 1, LARGE_GROUP);
    this.waiting.push({ ...one, weight, names: namesOf(one.targets) });
  }

  private get groups(): typeof GROUPS {
    return this.cluster.isApart ? GROUPS_ON_CITUS : GROUPS;
  }

  /** Takes the commands of the next transaction beside so many that run; none where all wait for those. */
  next(running: number): Group<Subject> {
    const group: WaitingCommand<Subject>[][] = [];
    const total = this.waiting.reduce((sum, { weight }) => sum + weight, 0);
    const { atOnce, small, large } = this.groups;
    const share = Math.ceil(total / (atOnce - running));
    let room = Math.min(Math.max(share, small), large);
    const isHot = hotAmong(this.waiting);
    // The order of those that wait. A later command must not take one of several accounts again and again before they
    // are all free.
    const wanted = new Set<string>();
    // The number of steps behind which the next command about an account comes.
    const steps = new Map<string, number>();
    const gone = new Set<WaitingCommand<Subject>>();
    let isChain = false;
    for (const one of inTurns(this.waiting, ({ command }) => sharerOf(command.caller))) {
      const { names } = one;
      const late = one.request.runInAsyncScope(outOfTime);
      const isFirst = group.length === 0;
      const step = Math.max(0, ...names.map(name => steps.get(name) ?? 0));
      const isAfterOwn = isChain ? step > 0 && step < MAX_STEPS : step === 0 && !isHot(one);
      if (late) {
        one.reject(late);
        gone.add(one);
      } else if (
        (isFirst || (isAfterOwn && one.weight <= room && room > 0)) &&
        names.every(name => !this.busy.get(name) && !wanted.has(name))
      ) {
        isChain = isFirst ? isHot(one) : isChain;
        for (const name of names) steps.set(name, step + 1);
        (group[step] ??= []).push(one);
        room -= one.weight;
        gone.add(one);
      } else {
        for (const name of names) wanted.add(name);
      }
    }
    for (const { names } of group.flat()) for (const name of names) this.busy.set(name, (this.busy.get(name) ?? 0) + 1);
    this.waiting = this.waiting.filter(one => !gone.has(one));
    return group;
  }

  /** Lets the next commands about the same accounts run. */
  release({ names }: WaitingCommand<Subject>): void {
    for (const name of names) {
      const left = (this.busy.get(name) ?? 1) - 1;
      if (left > 0) this.busy.set(name, left);
      else this.busy.delete(name);
    }
  }
}

/** Tells which commands are about something that many of them wait for. */
function hotAmong(waiting: readonly { readonly names: readonly string[] }[]) {
  if (waiting.length < HOT) return () => false;
  const counts = new Map<string, number>();
  for (const { names } of waiting) for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return ({ names }: { readonly names: readonly string[] }): boolean =>
    names.some(name => (counts.get(name) ?? 0) >= HOT);
}

/**
 * Names the things about which commands go one after another: an account of the caller's program, or the program.
 * Another program has other accounts under the same ids, and what a customer may not name counts for nobody.
 */
function namesOf(targets: readonly LockTarget[]): string[] {
  return targets.flatMap(({ accountId, caller, isHidden }) => (isHidden ? [] : [`${caller.program}\n${accountId}`]));
}
