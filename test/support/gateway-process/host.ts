import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { deserialize, serialize } from 'node:v8';
import { compileCache } from '../../cli/command-line.js';
import { directUrlOf, freshDatabase } from '../postgres.js';
import type { HostRequest, HostedGateway } from './host-requests.js';
import type { ChildMessage, Failure, GatewayOrder, GatewayStarted, ParentMessage } from './main.js';
import type { TemplateOrder } from './template.js';

const SOURCES = new URL('../../cli/sources.mjs', import.meta.url).href;

/** The process in which the gateways of a worker of Jest run. */
interface GatewayProcess {
  readonly child: ChildProcess;
  /** Rejects when the process ends. */
  readonly ended: Promise<never>;
  /** The gateway that files without settings of their own share. */
  shared?: Promise<HostedGateway>;
}

/**
 * Starts gateways for test files, from the process of the run, so that they outlive a file. Each worker of Jest has a
 * process for its gateways, which loads the modules once: the gateway that its files share, on a database of its own,
 * and those of files with settings of their own.
 */
export class GatewayHost {
  private readonly processes = new Map<string, Promise<GatewayProcess>>();
  private lastNumber = 0;
  private readonly server = createServer((request, response) => {
    void this.answer(request).then(bytes => response.end(bytes));
  });

  private constructor(private readonly program: Promise<string>) {}

  /** `program` is the bundle of `main.ts`, which may still be in the making. */
  static async start(program: Promise<string>): Promise<GatewayHost> {
    const host = new GatewayHost(program);
    await new Promise<void>(resolve => host.server.listen(0, '127.0.0.1', resolve));
    host.server.unref();
    return host;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Gives a database the project's tables, by the process that will have the gateways of the first worker. */
  async makeTemplate(template: TemplateOrder): Promise<void> {
    const make = ++this.lastNumber;
    await told(await this.processOf('1'), make, { make, template });
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    const processes = await Promise.all(this.processes.values());
    await Promise.all(processes.map(({ child }) => killed(child)));
  }

  private async answer(request: IncomingMessage): Promise<Buffer> {
    try {
      return serialize({ result: await this.handle(deserialize(await buffer(request)) as HostRequest) });
    } catch (error) {
      const { name, message, ...more } = error as Error;
      return serialize({ failure: { ...more, name, message } });
    }
  }

  private async handle(request: HostRequest): Promise<HostedGateway | null> {
    const { worker } = request;
    const of = await this.processOf(worker);
    if ('order' in request) return this.begin(of, request.order);
    if ('stop' in request) {
      of.child.send({ forget: request.stop } satisfies ParentMessage);
      return null;
    }
    of.shared ??= this.beginShared(worker, of);
    return of.shared;
  }

  private processOf(worker: string): Promise<GatewayProcess> {
    const present = this.processes.get(worker) ?? this.fork(worker);
    this.processes.set(worker, present);
    return present;
  }

  private async fork(worker: string): Promise<GatewayProcess> {
    const program = await this.program;
    const child = fork(program, {
      serialization: 'advanced',
      execArgv: ['--max-semi-space-size=64', '--import', SOURCES],
      env: { ...process.env, NODE_COMPILE_CACHE: compileCache() },
    });
    // Each file with a gateway in this process waits for a message from it.
    child.setMaxListeners(0);
    const ended = once(child, 'exit').then(([status, signal]) => {
      const message = `The process of the gateways of worker ${worker} ended with ${signal ?? `status ${status}`}.`;
      if (this.server.listening) process.stderr.write(`${message}\n`);
      // A file whose gateway was killed fails, and the next one gets another process.
      this.processes.delete(worker);
      throw new Error(message);
    });
    ended.catch(() => undefined);
    return { child, ended };
  }

  private async beginShared(worker: string, of: GatewayProcess): Promise<HostedGateway> {
    const { url } = await freshDatabase();
    const dataDir = await mkdtemp(join(tmpdir(), `worker-${worker}-`));
    const place = { databaseUrl: url, databaseDirectUrl: directUrlOf(url), dataDir };
    return this.begin(of, { place, changes: {} });
  }

  private async begin(of: GatewayProcess, order: GatewayOrder): Promise<HostedGateway> {
    const id = ++this.lastNumber;
    const started = await told<GatewayStarted>(of, id, { start: id, order });
    return { ...started, id, databaseUrl: order.place.databaseUrl ?? '' };
  }
}

/** Sends an order with a number, and gives what the process tells of it. */
async function told<Done>({ child, ended }: GatewayProcess, number: number, order: ParentMessage): Promise<Done> {
  const answered = new Promise<ChildMessage<Done>>(resolve => {
    const hear = (message: ChildMessage<Done>): void => {
      if (message.number !== number) return;
      child.off('message', hear);
      resolve(message);
    };
    child.on('message', hear);
  });
  child.send(order);
  const { done } = await Promise.race([answered, ended]);
  if (isFailure(done)) throw Object.assign(new Error(done.failure.message), done.failure);
  return done;
}

function isFailure(done: unknown): done is { readonly failure: Failure } {
  return 'failure' in Object(done);
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}
