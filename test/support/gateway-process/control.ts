import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { deserialize, serialize } from 'node:v8';
import type { ControlFunctions } from './control-functions.js';
import type { LogLines } from './log-lines.js';

/** A call of a function by its name, by somebody who has the lines of the log up to a number. */
export interface ControlCall {
  readonly name: keyof ControlFunctions | null;
  readonly args: readonly unknown[];
  readonly since: number;
}

/** What a call gave, and the lines that were logged since. */
export interface ControlReply {
  readonly result?: unknown;
  readonly failure?: string;
  readonly lines: readonly string[];
  readonly next: number;
}

/** Serves the functions at an address of its own, which only the entry of tests has. */
export class Control {
  private constructor(private readonly server: Server) {}

  static async start(functions: ControlFunctions, log: LogLines): Promise<Control> {
    const server = createServer((request, response) => {
      void reply(functions, log, request).then(bytes => response.end(bytes));
    });
    server.keepAliveTimeout = 0;
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    return new Control(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}

async function reply(functions: ControlFunctions, log: LogLines, request: IncomingMessage): Promise<Buffer> {
  const { name, args, since } = deserialize(await buffer(request)) as ControlCall;
  const outcome = name === null ? {} : await outcomeOf(functions[name] as (...given: unknown[]) => unknown, args);
  return serialize({ ...outcome, ...log.since(since) } satisfies ControlReply);
}

async function outcomeOf(
  called: (...args: unknown[]) => unknown,
  args: readonly unknown[],
): Promise<Pick<ControlReply, 'result' | 'failure'>> {
  try {
    return { result: await called(...args) };
  } catch (error) {
    return { failure: (error as Error).message };
  }
}
