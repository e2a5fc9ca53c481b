import { Unavailable } from '../../shared/errors.js';
import type { ReachedLimit, PlaceLimits, PlaceLimiter, Tally, TallyOrder, WindowUsage } from './limits.js';
import type { WorkerMessage, Question, PrimaryMessage } from './messages.js';
import type { MetricsSnapshot, ProcessGroup } from './process-group.js';

const ANSWER_WITHIN_MS = 5000;
/** A machine that starts many processes at once is slow. */
const WELCOME_WITHIN_MS = 60_000;

type PendingAnswer = { readonly resolve: (value: unknown) => void; readonly timer: NodeJS.Timeout };

/**
 * A worker process: it serves behind the port that the primary holds, and asks the primary for what all have in common.
 */
export class Member implements ProcessGroup {
  private readonly questions = new Map<number, PendingAnswer>();
  private readonly stopping = new AbortController();
  private snapshot: () => Promise<MetricsSnapshot> = async () => [];
  private lastId = 0;
  leads = false;

  private constructor() {
    process.on('message', (message: PrimaryMessage) => this.receive(message));
    // A terminal and a service manager may signal all processes of the gateway. The primary says when to stop.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  }

  /** Joins the process that has forked this one. */
  static async join(): Promise<Member> {
    const member = new Member();
    member.leads = (await member.ask({ kind: 'hello' }, WELCOME_WITHIN_MS)) as boolean;
    return member;
  }

  /** Aborted when this process is to stop, with a `StopReason`. */
  get stop(): AbortSignal {
    return this.stopping.signal;
  }

  readonly shared = {
    snapshots: async () => (await this.ask({ kind: 'snapshots' })) as readonly MetricsSnapshot[],
    collect: (snapshot: () => Promise<MetricsSnapshot>) => {
      this.snapshot = snapshot;
    },
  };

  async areAllReady(): Promise<boolean> {
    return (await this.ask({ kind: 'areAllReady' })) as boolean;
  }

  tally(name: string, order: TallyOrder): Tally {
    return { add: async (key, uses) => (await this.ask({ kind: 'add', name, order, key, uses })) as WindowUsage };
  }

  places(name: string, limits: PlaceLimits): PlaceLimiter {
    return {
      take: async client => {
        const full = (await this.ask({ kind: 'take', name, limits, client })) as ReachedLimit | null;
        return full ?? (() => this.send({ kind: 'giveBack', name, client }));
      },
    };
  }

  ready(url: string): void {
    this.send({ kind: 'ready', url });
  }

  /** Hands the counts over to the primary, and ends the process. */
  async leave(): Promise<void> {
    this.send({ kind: 'leaving', snapshot: await this.snapshot() });
    // Earlier messages go first. Node.js ends a worker whose channel has closed.
    process.disconnect();
  }

  /** Throws `Unavailable` if the primary does not answer. */
  private ask(question: Question, withinMs = ANSWER_WITHIN_MS): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const id = (this.lastId += 1);
      const timer = setTimeout(() => {
        this.questions.delete(id);
        reject(new Unavailable('The gateway could not be asked for its limits in time. Try again.'));
      }, withinMs);
      this.questions.set(id, { resolve, timer });
      this.send({ kind: 'ask', id, question });
    });
  }

  private send(message: WorkerMessage): void {
    // Without the primary, this process is about to end.
    process.send?.(message, undefined, undefined, () => undefined);
  }

  private receive(message: PrimaryMessage): void {
    if (message.kind === 'stop') this.stopping.abort(message.reason);
    if (message.kind === 'collect') {
      const { id } = message;
      void this.snapshot().then(snapshot => this.send({ kind: 'snapshot', id, snapshot }));
    }
    if (message.kind === 'answer') {
      const question = this.questions.get(message.id);
      this.questions.delete(message.id);
      clearTimeout(question?.timer);
      question?.resolve(message.value);
    }
  }
}
