import { Client, StreamableHTTPClientTransport, type CallToolResult } from '@modelcontextprotocol/client';
import type { TestGateway } from '../../../test/support/gateway.js';

/** A problem in the result of a tool. */
export interface ToolProblem {
  readonly code: string;
  readonly message: string;
  readonly errors?: readonly { readonly pointer: string; readonly code: string }[];
}

/** An agent, by the official client of the protocol. */
export class TestAgent {
  private constructor(readonly client: Client) {}

  /** Connects with a token, and speaks the revision of 2026-07-28 unless an older one is wished. */
  static async connect(
    gateway: Pick<TestGateway, 'url'>,
    token: string,
    mode: 'legacy' | { readonly pin: string } = { pin: '2026-07-28' },
  ): Promise<TestAgent> {
    const client = new Client({ name: 'test-agent', version: '1.0.0' }, { versionNegotiation: { mode } });
    const headers = { authorization: `Bearer ${token}` };
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${gateway.url}/mcp`), { requestInit: { headers } }),
    );
    return new TestAgent(client);
  }

  async call(name: string, args: Record<string, unknown> = {}): Promise<CallToolResult> {
    return await this.client.callTool({ name, arguments: args });
  }

  /** The structured content of a result. Throws with the problems of a tool that was refused. */
  async read<Data = never>(name: string, args: Record<string, unknown> = {}): Promise<Data> {
    const result = await this.call(name, args);
    if (result.isError) throw new Error(textOf(result));
    return result.structuredContent as Data;
  }

  /** The problems of a tool that is refused. */
  async problems(name: string, args: Record<string, unknown> = {}): Promise<readonly ToolProblem[]> {
    const result = await this.call(name, args);
    if (!result.isError) throw new Error(`${name} was not refused: ${textOf(result)}`);
    return (JSON.parse(textOf(result)) as { readonly problems: readonly ToolProblem[] }).problems;
  }

  close(): Promise<void> {
    return this.client.close();
  }
}

function textOf({ content: [first] }: CallToolResult): string {
  return first?.type === 'text' ? first.text : '';
}
