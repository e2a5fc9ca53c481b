import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkerMessage, Question, StopReason, PrimaryMessage } from './messages.js';
import { endConnectionsLostWith } from './passed-connections.js';
import type { MetricsSnapshot } from './process-group.js';

const COLLECT_WITHIN_MS = 2000;

export interface WorkerExit {
  /** null where a signal ended it. */
  readonly status: number | null;
  readonly signal: string | null;
  /** The time for which it served. */
  readonly servedMs: number;
}

/** One of the processes that serve, as the primary sees it. */
export class WorkerProcess {
  readonly ended: Promise<WorkerExit>;
  /** The address, or how it ended before it served. */
  readonly started: Promise<string | WorkerExit>;
  /** True if it may have been given connections. */
  isListening = false;
  isReady = false;
  private readonly worker: Worker;
  private readySinceMs = NaN;
  private lastSnapshot: MetricsSnapshot = [];
  private readonly collecting = new Map<number, () => void>();
  private lastId = 0;

  constructor(
    env: NodeJS.ProcessEnv,
    answer: (process: WorkerProcess, question: Question) => Promise<unknown>,
    giveBack: (process: WorkerProcess, name: string, client: string) => void,
  ) {
    this.worker = cluster.fork(env);
    endConnectionsLostWith(this.worker);
    this.worker.once('listening', () => (this.isListening = true));
    this.ended = new Promise(resolve => {
      this.worker.once('exit', (status: number | null, signal: string | null) => {
        this.isReady = false;
        for (const settle of this.collecting.values()) settle();
        const servedMs = performance.now() - this.readySinceMs || 0;
        resolve({ status: signal ? null : status, signal: signal || null, servedMs });
      });
    });
    // A message to a process that is ending is of no use to it.
    this.worker.on('error', () => undefined);
    const ready = new Promise<string>(resolve => {
      this.worker.on('message', (message: WorkerMessage) => {
        if (message.kind === 'ask') {
          const { id, question } = message;
          void answer(this, question).then(value => this.send({ kind: 'answer', id, value }));
        }
        if (message.kind === 'giveBack') giveBack(this, message.name, message.client);
        if (message.kind === 'snapshot') {
          this.lastSnapshot = message.snapshot;
          this.collecting.get(message.id)?.();
        }
        if (message.kind === 'leaving') this.lastSnapshot = message.snapshot;
        if (message.kind === 'ready') {
          this.isReady = true;
          this.readySinceMs = performance.now();
          resolve(message.url);
        }
      });
    });
    this.started = Promise.race([ready, this.ended]);
  }

  get id(): number {
    return this.worker.id;
  }

  get pid(): number | undefined {
    return this.worker.process.pid;
  }

  /** Its metrics, as it told them last. */
  get known(): MetricsSnapshot {
    return this.lastSnapshot;
  }

  /** Its metrics now; those that it told last, if it does not answer in time. */
  async collect(): Promise<MetricsSnapshot> {
    const id = (this.lastId += 1);
    const answer = new Promise<void>(resolve => this.collecting.set(id, resolve));
    this.send({ kind: 'collect', id });
    const late = new AbortController();
    await Promise.race([answer, sleep(COLLECT_WITHIN_MS, undefined, { signal: late.signal }).catch(() => undefined)]);
    late.abort();
    this.collecting.delete(id);
    return this.lastSnapshot;
  }

  /** Lets it finish what runs, and kills it after some time. */
  async stop(reason: StopReason, withinMs: number): Promise<WorkerExit> {
    this.send({ kind: 'stop', reason });
    const kill = setTimeout(() => this.worker.process.kill('SIGKILL'), withinMs);
    const ended = await this.ended;
    clearTimeout(kill);
    return ended;
  }

  kill(): void {
    this.worker.process.kill('SIGKILL');
  }

  private send(message: PrimaryMessage): void {
    if (this.worker.isConnected()) this.worker.send(message, () => undefined);
  }
}
