import type { CallToolResult } from '@modelcontextprotocol/server';
import { Caller, asAgent, type EndpointRequest, type FieldProblem, type GraphqlAccess } from 'tillgate/noun';
import { proposalOf } from './proposal.js';
import type { Tool } from './tool.js';

/** The longest result, in bytes: about 16,000 tokens. */
const MAX_RESULT_BYTES = 65_536;

/** An error of GraphQL as the gateway answers it. */
interface GraphqlProblem {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** Calls tools for agents. */
export class ToolCalls {
  constructor(private readonly graphql: Pick<GraphqlAccess, 'execute'>) {}

  /** The result of a tool. A refusal is a result as well, which tells the agent what to correct. */
  async call(
    { caller, message }: EndpointRequest,
    tool: Tool,
    args: Readonly<Record<string, unknown>>,
  ): Promise<CallToolResult> {
    const known = Object.keys(tool.inputSchema['properties'] as object);
    if (Object.keys(args).some(name => !known.includes(name))) {
      return refused('invalid_input', `An argument is not known. The arguments are: ${known.join(', ')}.`);
    }
    // Whoever comes this way is an agent, also with a token that does not say so.
    const agent = new Caller(asAgent(caller), caller.requestId);
    if (tool.isWrite) return this.propose(message, agent, tool, args);
    const { data, errors = [] } = await this.graphql.execute(message, agent, { query: tool.document, variables: args });
    if (isNothing(data) && errors.length > 0) return problemsOf(tool, errors);
    return resultOf(
      tool.shown(data ?? {}),
      errors.map(error => shownProblem(tool, error)),
    );
  }

  private async propose(
    message: EndpointRequest['message'],
    caller: Caller,
    tool: Tool,
    args: Readonly<Record<string, unknown>>,
  ): Promise<CallToolResult> {
    const proposal = proposalOf(caller, tool.name, args);
    if (typeof proposal === 'string') {
      return refused(
        'invalid_input',
        `The argument ${proposal} is missing or not in the form that the schema of the tool says.`,
      );
    }
    const { agent, variables } = proposal;
    const { data, errors = [] } = await this.graphql.execute(message, agent, { query: tool.document, variables });
    const approvalId = errors.map(({ extensions }) => extensions?.['approvalId']).find(id => typeof id === 'string');
    if (approvalId !== undefined) return resultOf({ status: 'WAITING', approvalId, result: null }, []);
    if (isNothing(data) || errors.length > 0) return problemsOf(tool, errors);
    return resultOf({ status: 'DONE', approvalId: null, result: tool.shown(data ?? {}) }, []);
  }
}

/** True if no field at the root has a value. */
function isNothing(data: object | null | undefined): boolean {
  return Object.values(data ?? {}).every(value => value === null);
}

/** The data as structured content and as its text, with what was refused of it. */
function resultOf(shown: Record<string, unknown>, problems: readonly object[]): CallToolResult {
  const text = JSON.stringify(shown);
  if (Buffer.byteLength(text) > MAX_RESULT_BYTES) {
    return refused(
      'too_large',
      `The result has more than ${MAX_RESULT_BYTES} bytes. Ask for fewer elements, or for a shorter time.`,
    );
  }
  const missing = problems.length > 0 ? [{ type: 'text' as const, text: JSON.stringify({ refused: problems }) }] : [];
  return { content: [{ type: 'text', text }, ...missing], structuredContent: shown };
}

function problemsOf(tool: Tool, errors: readonly GraphqlProblem[]): CallToolResult {
  const problems = errors.map(error => shownProblem(tool, error));
  return { isError: true, content: [{ type: 'text', text: JSON.stringify({ problems }) }] };
}

function refused(code: string, message: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: JSON.stringify({ problems: [{ code, message }] }) }] };
}

/** A problem in the words of the gateway, which repeat no value. */
function shownProblem(tool: Tool, { message, path, extensions = {} }: GraphqlProblem) {
  const { code, errors, requestId } = extensions;
  const fields = (errors as readonly FieldProblem[] | undefined)?.map(one => ({
    ...one,
    pointer: tool.placeOf(one.pointer),
  }));
  return {
    code: String(code).toLowerCase(),
    message,
    ...(path && { path }),
    ...(fields && { errors: fields }),
    requestId,
  };
}
