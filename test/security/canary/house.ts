import { mkdtemp, rm } from 'node:fs/promises';
import type { OutgoingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../../lib/embedded-postgres/embedded-postgres.js';
import { DevIssuer } from '../../../src/platform/auth/dev-issuer.js';
import type { AGENT_SCOPE, Scope } from '../../../src/shared/caller.js';
import { run, tillgate, type CommandLine, type CommandResult } from '../../cli/command-line.js';
import { USUAL_SCOPES } from '../../support/gateway.js';
import { usualContract } from '../../support/contracts.js';
import { HttpClient, type Answer, type HttpRequest } from '../../support/http.js';
import type { ShownKind } from './canaries.js';

export const PROGRAM = 'canaries';

type TokenScope = Scope | typeof AGENT_SCOPE;

/** A request and what came back. */
export interface Exchange {
  readonly asking: HttpRequest;
  readonly answer: Answer;
  /**
   * What this answer may hold of the canaries, if it is a good one: what the contract shows to a caller with the right
   * to see it.
   */
  readonly mayShow: readonly ShownKind[];
}

/** Whether a request was not refused. */
export function isGood({ status, body }: Answer): boolean {
  return status >= 200 && status < 300 && !Object(body).errors;
}

/**
 * A gateway as `npm start` runs it, with its own PostgreSQL in its own data folder, that says all it can, and
 * everything it says.
 */
export class CanaryGateway {
  readonly exchanges: Exchange[] = [];
  /** What the commands printed, by their arguments. */
  readonly printed: { readonly command: string; readonly ended: CommandResult }[] = [];
  private readonly http: HttpClient;

  private constructor(
    private readonly folder: string,
    private readonly gateway: CommandLine,
    url: string,
    private readonly issuer: DevIssuer,
  ) {
    this.http = new HttpClient(url, usualContract().check);
  }

  static async open(): Promise<CanaryGateway> {
    // The set-up of the tests clears a folder of this name away if this run is killed.
    const folder = await mkdtemp(join(tmpdir(), `tillgate-test-${process.pid}-canary-`));
    const gateway = tillgate(['serve'], environment(folder));
    process.once('exit', () => gateway.child.kill('SIGKILL'));
    const [url] = /^http\S+/m.exec(await gateway.printed(/^http\S+\n/m)) as RegExpExecArray;
    return new CanaryGateway(folder, gateway, url, await DevIssuer.open(folder));
  }

  get dataDir(): string {
    return this.folder;
  }

  /** A token of this program: with the usual scopes, and with others if asked for. */
  caller(...others: TokenScope[]): Promise<string> {
    return this.callerAs('canary-client', ...others);
  }

  /** A token of another person: with the usual scopes, and with others if asked for. */
  callerAs(subject: string, ...others: TokenScope[]): Promise<string> {
    return this.callerOf(PROGRAM, subject, ...others);
  }

  /** A token of another program. */
  callerOf(program: string, subject: string, ...others: TokenScope[]): Promise<string> {
    const scope = [...USUAL_SCOPES, ...others].join(' ');
    return this.issuer.sign({
      program,
      clientId: 'canary-client',
      subject,
      scope,
      customerId: null,
      ttlSeconds: 600,
    });
  }

  /** Changes what waits in the program until another person approves it. */
  async setApprovals(approvals: object | null): Promise<void> {
    const record = JSON.stringify({ programId: PROGRAM, name: 'Canaries', approvals });
    const { status, stderr } = await this.command(['import', 'programs', '-', '--program', PROGRAM], record);
    if (status !== 0) throw new Error(`The program could not be changed: ${stderr}`);
  }

  /** Sends a request and keeps the answer. Without `mayShow` the answer may hold no canary. */
  async ask(token: string | null, asking: HttpRequest, mayShow: readonly ShownKind[] = []): Promise<Answer> {
    const headers: OutgoingHttpHeaders = {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(asking.body !== undefined && { 'content-type': 'application/json' }),
      ...(asking.headers as OutgoingHttpHeaders | undefined),
    };
    const answer = await this.http.send({ ...asking, headers });
    this.exchanges.push({ asking, answer, mayShow });
    return answer;
  }

  /** Sends bytes that are no request, and keeps what comes back. */
  async askInBytes(bytes: string): Promise<string> {
    const text = await this.http.sendBytes(bytes, { end: true });
    const answer: Answer = {
      status: 0,
      headers: {},
      text,
      body: text,
      bytes: Buffer.from(text),
    };
    this.exchanges.push({ asking: { path: bytes }, answer, mayShow: [] });
    return text;
  }

  async command(args: readonly string[], input = ''): Promise<CommandResult> {
    const ended = await run(args, environment(this.folder), { input });
    this.printed.push({ command: args.join(' '), ended });
    return ended;
  }

  /** Runs work with the address of the database, whose server stays for as long. */
  async withDatabase<Result>(work: (url: string) => Promise<Result>): Promise<Result> {
    const server = await startEmbeddedPostgres(this.folder, { program: 'Tillgate' });
    try {
      return await work(server.url('tillgate'));
    } finally {
      await server.stop();
    }
  }

  /** Stops the gateway, and with it the database. Gives all that it printed. */
  async stop(): Promise<CommandResult> {
    this.http.close();
    this.gateway.child.kill('SIGTERM');
    return this.gateway.ended;
  }

  async tearDown(): Promise<void> {
    await this.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}

function environment(folder: string): Record<string, string> {
  const agents = { MCP: 'true', MCP_OPERATIONS: join(import.meta.dirname, 'mcp') };
  return { DATA_DIR: folder, DEMO_DATA: 'false', PORT: '0', LOG_LEVEL: 'trace', ...agents };
}
