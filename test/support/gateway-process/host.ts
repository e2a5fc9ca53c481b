import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { deserialize, serialize } from 'node:v8';
import { directUrlOf, freshDatabase } from '../postgres.js';
import type { HostRequest, HostedGateway } from './host-requests.js';
import type { GatewayOrder, GatewayStarted } from './main.js';

const SOURCES = new URL('../../cli/sources.mjs', import.meta.url).href;

/**
 * Starts gateways for test files, from the process of the run, so that they outlive a file: one for each worker of
 * Jest, on a database of its own, and one for each file with settings of its own.
 */
export class GatewayHost {
  private readonly processes = new Map<number, ChildProcess>();
  private readonly ofWorkers = new Map<string, Promise<HostedGateway>>();
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

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await Promise.all([...this.processes.values()].map(child => ended(child)));
  }

  private async answer(request: IncomingMessage): Promise<Buffer> {
    try {
      return serialize({ result: await this.handle(deserialize(await buffer(request)) as HostRequest) });
    } catch (error) {
      const { name, message } = error as Error;
      return serialize({ failure: { name, message } });
    }
  }

  private async handle(request: HostRequest): Promise<HostedGateway | null> {
    if ('worker' in request) return this.gatewayOf(request.worker);
    if ('order' in request) return this.begin(request.order);
    const child = this.processes.get(request.stop);
    if (child) await ended(child);
    return null;
  }

  private gatewayOf(worker: string): Promise<HostedGateway> {
    const present = this.ofWorkers.get(worker) ?? this.beginForWorker(worker);
    this.ofWorkers.set(worker, present);
    return present;
  }

  private async beginForWorker(worker: string): Promise<HostedGateway> {
    const { url } = await freshDatabase();
    const dataDir = await mkdtemp(join(tmpdir(), `worker-${worker}-`));
    const place = { databaseUrl: url, databaseDirectUrl: directUrlOf(url), dataDir };
    const hosted = await this.begin({ place, changes: {} });
    // A file whose gateway was killed fails, and the next one gets another gateway.
    this.processes.get(hosted.id)?.once('exit', () => this.ofWorkers.delete(worker));
    return hosted;
  }

  private async begin(order: GatewayOrder): Promise<HostedGateway> {
    const program = await this.program;
    const child = fork(program, {
      serialization: 'advanced',
      execArgv: ['--max-semi-space-size=64', '--import', SOURCES],
      env: { ...process.env, NODE_COMPILE_CACHE: `${dirname(program)}/compiled` },
    });
    const id = child.pid ?? 0;
    this.processes.set(id, child);
    child.once('exit', () => this.processes.delete(id));
    child.send(order);
    const [started] = (await Promise.race([once(child, 'message'), failedOf(child)])) as [GatewayStarted];
    if ('failure' in started) {
      await ended(child);
      throw Object.assign(new Error(started.failure.message), { name: started.failure.name });
    }
    return { ...started, id, databaseUrl: order.place.databaseUrl ?? '' };
  }
}

async function failedOf(child: ChildProcess): Promise<[GatewayStarted]> {
  const [status] = (await once(child, 'exit')) as [number | null];
  return [{ failure: { name: 'Error', message: `The gateway process ended with status ${status} before it served.` } }];
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}
