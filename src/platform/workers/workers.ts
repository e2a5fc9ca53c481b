import cluster from 'node:cluster';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../logging/logger.js';
import { CommonState } from './common-state.js';
import { PrimaryMetrics } from './joined-metrics.js';
import type { Question, StopReason } from './messages.js';
import { WorkersFailed } from './workers-failed.js';
import { WorkerProcess, type WorkerExit } from './worker-process.js';

/** A worker that ends sooner has ended at its start. */
const SHORT_LIFE_MS = 10_000;
/** The number of short lives in a row, with no other process that serves, after which the gateway gives up. */
const MAX_SHORT_LIVES = 5;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 10_000;
/** The time that a process may take to start while others serve. */
const START_WITHIN_MS = 120_000;

export interface WorkersOrder {
  readonly count: number;
  /** Where the processes listen. */
  readonly host: string;
  /** 0 for a free one, which all of them have until the end. */
  readonly port: number;
  /** The settings. */
  readonly env: NodeJS.ProcessEnv;
  /** The time that a process may take to stop before it is killed. */
  readonly stopWithinMs: number;
  readonly log: Logger;
}

/** One of the processes, and those that take its place when it ends. The first one leads. */
interface Place {
  readonly leads: boolean;
  /** Null while it is started again. */
  process: WorkerProcess | null;
}

/**
 * The processes that serve behind one port: starts them, replaces those that end, and keeps what they have in common.
 */
export class Workers {
  private readonly state = new CommonState();
  private readonly metrics: PrimaryMetrics;
  private readonly places: readonly Place[];
  private readonly running = new Map<WorkerProcess, Place>();
  private readonly stopping = new AbortController();
  private readonly failing = Promise.withResolvers<never>();
  private env: NodeJS.ProcessEnv;
  private address = '';
  /** The port that was free at the start, where none was given. */
  private freePort: number | null = null;
  private areAllReady = false;
  private shortLives = 0;
  private reloading: Promise<boolean> = Promise.resolve(true);

  constructor(private readonly order: WorkersOrder) {
    // The file of `--env-file` has been read here, and all processes get the same settings.
    const execArgv = withoutEnvFiles(process.execArgv);
    cluster.setupPrimary({ execArgv });
    this.env = order.env;
    // Connections are accepted here and dealt out in turn: none is lost with the process that would have accepted it.
    cluster.schedulingPolicy = cluster.SCHED_RR;
    this.places = Array.from({ length: order.count }, (_, index) => ({ leads: index === 0, process: null }));
    this.metrics = new PrimaryMetrics(() => this.ready.length);
    this.failing.promise.catch(() => undefined);
  }

  /** Rejects with `WorkersFailed` when no process can be started any more. */
  get failed(): Promise<never> {
    return this.failing.promise;
  }

  /**
   * Gives the address once all serve. The first one starts alone: it migrates, and loads what is loaded once. Throws
   * `WorkersFailed`.
   */
  async start(): Promise<string> {
    const [first, ...others] = this.places as [Place, ...Place[]];
    // Node.js gives up a port with the last process that listens on it. The next one must find the same.
    if (this.order.port === 0) this.freePort = await freePort(this.order.host);
    await this.fill(first, true);
    await Promise.all(others.map(place => this.fill(place, true)));
    this.areAllReady = true;
    return this.address;
  }

  /**
   * Replaces the processes one after the other by new ones with this environment. Ends with the first that does not
   * start, and the others go on as they are. Gives whether all were replaced.
   */
  reload(env: NodeJS.ProcessEnv): Promise<boolean> {
    return (this.reloading = this.reloading.then(() => this.replaceAll(env)));
  }

  /**
   * Lets all finish what runs. One that starts behind others has nothing to finish, and its start would take long.
   */
  async stop(reason: StopReason): Promise<void> {
    this.stopping.abort();
    const stopped = [...this.running.keys()].map(async process => {
      if (this.areAllReady && !process.isListening) process.kill();
      await process.stop(reason, this.order.stopWithinMs);
    });
    await Promise.all(stopped);
  }

  private get ready(): WorkerProcess[] {
    return [...this.running.keys()].filter(({ isReady }) => isReady);
  }

  private async replaceAll(env: NodeJS.ProcessEnv): Promise<boolean> {
    const { log, stopWithinMs } = this.order;
    const before = this.env;
    this.env = env;
    for (const [index, place] of this.places.entries()) {
      if (this.stopping.signal.aborted) return false;
      const next = this.fork(place);
      const started = await this.startedInTime(next);
      if (typeof started !== 'string') {
        if (this.stopping.signal.aborted) return false;
        if (index === 0) this.env = before;
        log.error({ pid: next.pid, ...why(started) }, 'a new worker process could not start; the old ones go on');
        return false;
      }
      const old = place.process;
      place.process = next;
      void this.keep(place, next);
      log.debug({ pid: next.pid }, 'a new worker process serves');
      const ended = await old?.stop('replaced', stopWithinMs);
      log.info(
        { pid: next.pid, replaced: old?.pid, ...(ended && why(ended)) },
        'a worker process was replaced by a new one',
      );
    }
    return true;
  }

  /**
   * Starts a process for a place, again and again with pauses. At the start of all, one that says why it ended is the
   * last.
   */
  private async fill(place: Place, isFirst: boolean): Promise<void> {
    while (!this.stopping.signal.aborted) {
      if (this.shortLives > 0) await this.pause();
      if (this.stopping.signal.aborted) return;
      const next = this.fork(place);
      const started = isFirst ? await next.started : await this.startedInTime(next);
      if (typeof started === 'string') {
        // A reload may have filled the place meanwhile.
        if (place.process) return void (await next.stop('replaced', this.order.stopWithinMs));
        this.address ||= started;
        place.process = next;
        void this.keep(place, next);
        return;
      }
      this.shortLives += 1;
      if (this.stopping.signal.aborted) return;
      const isHopeless = this.shortLives >= MAX_SHORT_LIVES && this.ready.length === 0;
      if (isHopeless || (isFirst && started.status)) {
        const failure = new WorkersFailed(started);
        this.failing.reject(failure);
        throw failure;
      }
      this.order.log.error({ pid: next.pid, ...why(started) }, 'a worker process could not start and is started again');
    }
  }

  /** Fills the place again when its process has ended by itself. */
  private async keep(place: Place, process: WorkerProcess): Promise<void> {
    const ended = await process.ended;
    if (place.process !== process || this.stopping.signal.aborted) return;
    place.process = null;
    this.shortLives = ended.servedMs < SHORT_LIFE_MS ? this.shortLives + 1 : 0;
    this.metrics.countDeath();
    this.order.log.error({ pid: process.pid, ...why(ended) }, 'a worker process ended and is replaced');
    if (this.shortLives >= MAX_SHORT_LIVES && this.running.size === 0) {
      this.failing.reject(new WorkersFailed(ended));
      return;
    }
    await this.fill(place, false).catch(() => undefined);
  }

  private async startedInTime(process: WorkerProcess): Promise<string | WorkerExit> {
    const late = setTimeout(() => process.kill(), START_WITHIN_MS);
    const started = await process.started;
    clearTimeout(late);
    return started;
  }

  private async pause(): Promise<void> {
    const ms = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(this.shortLives - 1, 10));
    await sleep(ms, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }

  private fork(place: Place): WorkerProcess {
    const process = new WorkerProcess(
      this.environment(),
      (asking, question) => this.answer(asking, place, question),
      (giving, name, client) => this.state.giveBack(giving.id, name, client),
    );
    this.running.set(process, place);
    void process.ended.then(() => {
      this.running.delete(process);
      this.state.forget(process.id);
      return this.metrics.keep(process.known);
    });
    return process;
  }

  /**
   * Node.js gives the environment of this process to the other one as well: what is not to be there is emptied, and an
   * empty setting counts as not set.
   */
  private environment(): NodeJS.ProcessEnv {
    const absent = Object.keys(this.order.env).filter(name => this.env[name] === undefined);
    return {
      ...this.env,
      ...Object.fromEntries(absent.map(name => [name, ''])),
      ...(this.freePort !== null && { PORT: String(this.freePort) }),
    };
  }

  private async answer(process: WorkerProcess, { leads }: Place, question: Question): Promise<unknown> {
    switch (question.kind) {
      case 'hello':
        return leads;
      case 'areAllReady':
        return this.areAllReady;
      case 'add':
        return this.state.add(question.name, question.order, question.key, question.uses);
      case 'take':
        return this.state.take(process.id, question.name, question.limits, question.client);
      case 'snapshots': {
        const others = this.ready.filter(other => other !== process);
        return [...(await this.metrics.snapshots()), ...(await Promise.all(others.map(other => other.collect())))];
      }
    }
  }
}

function why({ status, signal }: WorkerExit): { status?: number; signal?: string } {
  return { ...(status !== null && { status }), ...(signal !== null && { signal }) };
}

async function freePort(host: string): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

function withoutEnvFiles(args: readonly string[]): string[] {
  return args.filter((arg, index) => !ENV_FILE.test(arg) && !isSeparate(args[index - 1]));
}

/** True if the file is the next argument. */
function isSeparate(arg: string | undefined): boolean {
  return arg !== undefined && ENV_FILE.test(arg) && !arg.includes('=');
}

const ENV_FILE = /^--env-file(-if-exists)?(=|$)/;

/** The files that `--env-file` names in the arguments of Node.js, in their order. */
export function envFilesIn(args: readonly string[]): string[] {
  return args.flatMap((arg, index) => {
    if (isSeparate(args[index - 1])) return [arg];
    return ENV_FILE.test(arg) && arg.includes('=') ? [arg.slice(arg.indexOf('=') + 1)] : [];
  });
}
