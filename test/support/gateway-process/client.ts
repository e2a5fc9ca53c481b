import { Agent, request as httpRequest } from 'node:http';
import { deserialize, serialize } from 'node:v8';
import { isOtherwiseDescribed } from '../described-paths.js';
import type { Answer, HttpRequest } from '../http.js';
import type { GatewayInside } from '../test-gateway.js';
import type { ControlFunctions } from './control-functions.js';
import type { ControlCall, ControlReply } from './control.js';
import type { GatewayOrder } from './main.js';
import { GATEWAY_HOST, type HostReply, type HostRequest, type HostedGateway } from './host-requests.js';

type Asked = { readonly order: GatewayOrder } | { readonly stop: number } | Record<never, never>;

/** Asks the process of the run for a gateway: with an order for one with these settings; or to forget one. */
export async function ask(asked: Asked = {}): Promise<HostedGateway> {
  const host = process.env[GATEWAY_HOST];
  if (!host) {
    throw new Error(
      `${GATEWAY_HOST} is not set: Jest has to run with test/support/global-setup.ts as its globalSetup.`,
    );
  }
  const agent = new Agent();
  const worker = process.env['JEST_WORKER_ID'] ?? '1';
  const reply = (await exchange(host, agent, { worker, ...asked } satisfies HostRequest)) as HostReply;
  agent.destroy();
  if ('failure' in reply) throw Object.assign(new Error(reply.failure.message), reply.failure);
  return reply.result;
}

/** What tests need of a gateway in another process: its functions are called by name. */
export class RemoteInside implements GatewayInside {
  readonly log: string[] = [];
  private readonly agent = new Agent({ keepAlive: true });
  private nextLine = 0;

  private constructor(
    private readonly hosted: HostedGateway,
    readonly program: string,
    private readonly end: (inside: RemoteInside) => Promise<void>,
  ) {}

  static async open(hosted: HostedGateway, program: string, end: RemoteInside['end']): Promise<RemoteInside> {
    const inside = new RemoteInside(hosted, program, end);
    await inside.logged();
    return inside;
  }

  /** Leaves out what was logged before, for other files. */
  forgetLog(): void {
    this.log.length = 0;
  }

  get url(): string {
    return this.hosted.url;
  }

  readonly watch = async (request: HttpRequest, { status, headers, text, body }: Answer): Promise<void> => {
    const [path = ''] = request.path.split('?', 1);
    const isChecked = path === '/graphql' ? Object(body).errors !== undefined : !isOtherwiseDescribed(path);
    if (isChecked) await this.call('check', { request, answer: { status, headers, text } });
    else await this.logged();
  };

  async logged(): Promise<void> {
    await this.reply(null, []);
  }

  async call<Name extends keyof ControlFunctions>(
    name: Name,
    ...args: Parameters<ControlFunctions[Name]>
  ): Promise<Awaited<ReturnType<ControlFunctions[Name]>>> {
    const { result, failure } = await this.reply(name, args);
    if (failure !== undefined) throw new Error(failure);
    return result as Awaited<ReturnType<ControlFunctions[Name]>>;
  }

  async stop(): Promise<void> {
    await this.end(this);
    this.agent.destroy();
  }

  private async reply(name: ControlCall['name'], args: readonly unknown[]): Promise<ControlReply> {
    const call: ControlCall = { name, args, since: this.nextLine };
    const reply = (await exchange(this.hosted.controlUrl, this.agent, call)) as ControlReply;
    // Replies may come in another order than their calls, and then have lines that are known.
    const known = Math.max(0, this.nextLine - (reply.next - reply.lines.length));
    this.log.push(...reply.lines.slice(known));
    this.nextLine = Math.max(this.nextLine, reply.next);
    return reply;
  }
}

function exchange(url: string, agent: Agent, sent: unknown): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(url, { method: 'POST', agent }, incoming => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => resolve(deserialize(Buffer.concat(chunks))));
    });
    outgoing.on('error', reject);
    outgoing.end(serialize(sent));
  });
}
