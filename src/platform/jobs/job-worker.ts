import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LogFunctionFactory, Runner, TaskList, WorkerEvents } from 'graphile-worker';
import type { Database } from '../database/orm.js';
import type { Logger } from '../logging/logger.js';
import type { JobHealth } from './job-health.js';
import { WorkerLease } from './worker-lease.js';

/** The queue notifies its workers of a new job at once. This is for notices that a lost connection dropped. */
const POLL_MS = 5000;
const RESTART_AFTER_MS = 5000;

export interface JobWorkerOrder {
  /** Connections for the worker alone: it listens on one, and each running job takes one. */
  readonly database: Database;
  readonly tasks: TaskList;
  /** The number of jobs that run at once. */
  readonly concurrency: number;
  /** Lines of a crontab in UTC. Of several processes one runs each job. */
  readonly crontab?: string;
  readonly health: JobHealth;
  readonly log: Logger;
}

/**
 * Runs jobs from the queue in PostgreSQL until it is stopped. A job of a dead process is free again within seconds:
 * each worker holds a lock that ends with its connection.
 */
export class JobWorker {
  private runner: Runner | null = null;
  private readonly lease: WorkerLease;
  private readonly stopping = new AbortController();
  private readonly running: Promise<void>;

  constructor(private readonly order: JobWorkerOrder) {
    this.lease = new WorkerLease(order.database, order.log);
    this.running = this.keepRunning();
  }

  /** Waits for running jobs, and takes no more. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.runner?.stop().catch(() => undefined);
    await this.running;
    await this.lease.giveBack();
    await this.lease.end();
  }

  private async keepRunning(): Promise<void> {
    const { health, log } = this.order;
    while (!this.stopping.signal.aborted) {
      try {
        await this.runOnce();
      } catch (error) {
        health.failed();
        log[health.isFailing ? 'error' : 'warn']({ err: error }, 'the job worker failed and is starting again');
        await sleep(RESTART_AFTER_MS, undefined, { signal: this.stopping.signal }).catch(() => undefined);
      }
    }
  }

  private async runOnce(): Promise<void> {
    const { database, tasks, concurrency, crontab, health, log } = this.order;
    const events = new EventEmitter() as WorkerEvents;
    // The queue locks a job in the name of the pool of workers that takes it.
    events.on('pool:create', ({ workerPool }) => this.lease.add(workerPool.id));
    // graphile-worker 0.18 remembers for ever that its first look for the kinds of jobs failed (getTaskDetails in
    // taskIdentifiers.ts). So a run that has never worked is begun anew.
    const first: { hasWorked: boolean; failure: Error | null } = { hasWorked: false, failure: null };
    const worked = (): void => {
      first.hasWorked = true;
      health.worked();
    };
    events.on('worker:getJob:error', ({ error }) => {
      health.failed();
      if (first.hasWorked || !health.isFailing) return;
      first.failure = error instanceof Error ? error : new Error('The first job could not be looked for.');
      void this.runner?.stop().catch(() => undefined);
    });
    events.on('worker:getJob:empty', worked);
    events.on('job:start', worked);
    // Only a process that runs jobs loads the queue.
    const { Logger: WorkerLogger, run } = await import('graphile-worker');
    this.runner = await run({
      pgPool: database.pool,
      taskList: tasks,
      concurrency,
      ...(crontab !== undefined && { crontab }),
      events,
      pollInterval: POLL_MS,
      noHandleSignals: true,
      logger: new WorkerLogger(writingTo(log)),
    });
    if (this.stopping.signal.aborted || first.failure) await this.runner.stop().catch(() => undefined);
    await this.runner.promise;
    if (first.failure && !this.stopping.signal.aborted) throw first.failure;
  }
}

const LEVELS = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const;

/** The queue's own messages in our log. What it calls information is of no use to an operator. */
function writingTo(log: Logger): LogFunctionFactory {
  return () => (level, message) => log[LEVELS[level as keyof typeof LEVELS]]({ jobs: true }, message);
}
