/** The code of an error that a server makes for itself (JSON-RPC 2.0, 5.1). */
const SERVER_ERROR = -32_000;
const PARSE_ERROR = -32_700;
const VERSION = 'io.modelcontextprotocol/protocolVersion';
/** The longest wait for an answer. */
const TIMEOUT_MS = 60_000;

/** A message of JSON-RPC, of which only these parts matter on the way. */
interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: {
    readonly name?: string;
    readonly uri?: string;
    readonly _meta?: Readonly<Record<string, unknown>>;
  };
}

/** Passes messages of an assistant on to a gateway, each as one request of HTTP. */
export class McpRelay {
  constructor(
    private readonly url: URL,
    private readonly token: string,
  ) {}

  /** The answer to a line of JSON, as a line of JSON; null where there is none. It never throws. */
  async answer(line: string): Promise<string | null> {
    let message: Message;
    try {
      message = Object(JSON.parse(line)) as Message;
    } catch {
      return errorLine(undefined, PARSE_ERROR, 'The line must be one message as JSON.');
    }
    try {
      return await this.send(message, line);
    } catch {
      return errorLine(
        message,
        SERVER_ERROR,
        `No gateway answers at ${this.url.origin}. Start it with MCP=true, or name its address.`,
      );
    }
  }

  private async send(message: Message, line: string): Promise<string | null> {
    const headers = { authorization: `Bearer ${this.token}`, ...headersOf(message) };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const answer = await fetch(this.url, { method: 'POST', headers, body: line, signal });
    const text = await answer.text();
    const type = answer.headers.get('content-type') ?? '';
    if (type.startsWith('text/event-stream')) return lastEventOf(text);
    if (type.startsWith('application/problem+json')) {
      const { detail } = JSON.parse(text) as { readonly detail: string };
      return errorLine(message, SERVER_ERROR, detail);
    }
    return text === '' ? null : JSON.stringify(JSON.parse(text));
  }
}

/** The headers that tell a server of the protocol what is in the body. */
function headersOf({ method, params }: Message): Record<string, string> {
  const version = params?._meta?.[VERSION];
  const name = params?.name ?? params?.uri;
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(typeof version === 'string' && {
      'mcp-protocol-version': version,
      'mcp-method': String(method),
      ...(typeof name === 'string' && { 'mcp-name': encodeURI(name) }),
    }),
  };
}

/** The last message of a stream, which is the answer. */
function lastEventOf(stream: string): string | null {
  return [...stream.matchAll(/^data: ?(\{.*)$/gm)].at(-1)?.[1] ?? null;
}

/** A notification gets no answer, not even an error. */
function errorLine(message: Message | undefined, code: number, text: string): string | null {
  if (message && message.id === undefined) return null;
  return JSON.stringify({ jsonrpc: '2.0', id: message?.id ?? null, error: { code, message: text } });
}
