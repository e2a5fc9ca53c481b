import { createHash } from 'node:crypto';
import {
  Caller,
  MAX_REASON_CHARACTERS,
  Refusal,
  canonicalJson,
  stating,
  type Json,
  type JsonSchema,
} from 'tillgate/noun';

/** The most characters of a key that an agent chooses. */
const MAX_KEY_CHARACTERS = 100;

/** The arguments that every tool has that proposes a change. */
export const PROPOSAL_ARGUMENTS: Readonly<Record<string, JsonSchema>> = {
  reason: {
    type: 'string',
    minLength: 1,
    maxLength: MAX_REASON_CHARACTERS,
    description: 'The reason for the change, for the person who decides about it: one line without personal data.',
  },
  idempotencyKey: {
    type: 'string',
    minLength: 1,
    maxLength: MAX_KEY_CHARACTERS,
    pattern: '^[!-~]+$',
    description:
      'Only for a further change just like an earlier one: without it, the same arguments are the same proposal, and give its state.',
  },
};
const REQUIRED = ['reason'];
const KEY = new RegExp(`^[!-~]{1,${MAX_KEY_CHARACTERS}}$`);

/** The change that a tool is to propose: the variables of its operation, and the agent with its reason and key. */
export interface Proposal {
  readonly agent: Caller;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** The schema of the arguments of a tool that proposes. */
export function withProposalArguments({ properties, required, ...schema }: JsonSchema): JsonSchema {
  return {
    ...schema,
    properties: { ...(properties as object), ...PROPOSAL_ARGUMENTS },
    required: [...(required as string[]), ...REQUIRED],
  };
}

/** The schema of the result of a tool that proposes, of the schema of what its operation returns. */
export function proposalSchemaOf(data: JsonSchema): JsonSchema {
  return {
    type: 'object',
    properties: {
      status: {
        enum: ['WAITING', 'DONE'],
        description: 'WAITING until a person decides. DONE once the change was made, and where it was there already.',
      },
      // Some models know no list of types.
      approvalId: {
        anyOf: [{ type: 'string' }, { type: 'null' }],
        description: 'For proposal_state; null once it is done.',
      },
      result: { anyOf: [data, { type: 'null' }] },
    },
    required: ['status', 'approvalId', 'result'],
    additionalProperties: false,
  };
}

/**
 * Reads the arguments of a tool that proposes. Without a key of its own, a proposal has the key of its content: an
 * agent that calls again, as models do, proposes nothing twice. Gives the name of an argument that is wrong instead.
 */
export function proposalOf(
  caller: Caller,
  tool: string,
  { reason, idempotencyKey, ...variables }: Readonly<Record<string, unknown>>,
): Proposal | 'reason' | 'idempotencyKey' {
  if (typeof reason !== 'string' || reason.trim() === '' || [...reason].length > MAX_REASON_CHARACTERS) return 'reason';
  if (idempotencyKey !== undefined && !(typeof idempotencyKey === 'string' && KEY.test(idempotencyKey))) {
    return 'idempotencyKey';
  }
  const content = canonicalJson([tool, idempotencyKey ?? null, variables] as Json);
  const key = `mcp ${createHash('sha256').update(content).digest('base64url')}`;
  const keyed = new Caller(caller, caller.requestId, { key, place: null, outcomes: [] });
  try {
    return { agent: stating(keyed, reason.replaceAll(/\s+/g, ' ')), variables };
  } catch (error) {
    if (error instanceof Refusal) return 'reason';
    throw error;
  }
}
