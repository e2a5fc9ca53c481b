import { ref } from '../../platform/input/json-schema.js';
import type { InputClass } from '../../platform/input/input.js';
import { IF_MATCH, IF_NONE_MATCH, NOT_MODIFIED, TAGGED, location } from '../../platform/openapi/headers.js';
import { answer, parameter, type Operation, type Parameter, type Part } from '../../platform/openapi/operation.js';
import { FORMS } from '../../platform/openapi/schema.js';
import { InvalidInput, PreconditionFailed } from '../../shared/errors.js';
import { Account } from './account.entity.js';
import { AccountNotFound } from './account.errors.js';
import { LIMIT_RANGE } from './account.record.js';
import { EventChain, MAX_LINKS } from '../event/event-chain.entity.js';
import { Balances } from './balances.entity.js';
import {
  AccountPatchRecord,
  MAX_REASON,
  NewAccountRecord,
  OptionalReasonInput,
  ReasonInput,
} from './administration/administration.inputs.js';
import {
  CLOSE_ACCOUNT,
  OPEN_ACCOUNT,
  READ_ACCOUNTS,
  RESTRICT_ACCOUNT,
  UNRESTRICT_ACCOUNT,
  UPDATE_ACCOUNT,
  VERIFY_EVENT_CHAIN,
} from './account.operations.js';
import type { DeclaredOperation } from '../../shared/operation.js';

export { MAX_OWNERS } from './account.inputs.js';

const ID = 'demo-1001';
const ONE = '/accounts/{accountId}';

/** In the path of everything that belongs to an account. */
export const ACCOUNT_ID: Parameter = {
  ...parameter(
    'path',
    'accountId',
    'The id of the account. The answer is 404 if the account does not exist or the caller may not see it.',
    FORMS.ID,
    ID,
  ),
  unknown: () => new AccountNotFound(),
};

const SENT = {
  accountId: ID,
  accountType: 'CHECKING',
  currency: 'USD',
  timeZone: 'America/New_York',
  interestBearing: false,
  openedOn: '2026-03-31',
  overdraftLimit: 500,
  owners: ['0000d001-0000-4000-8000-000000000000'],
};
const { overdraftLimit: _, owners: __, ...KEPT } = SENT;
const EXAMPLE = {
  ...KEPT,
  status: 'OPEN',
  availableBalance: 0,
  balances: {
    posted: 0,
    available: 0,
    held: 0,
    overdraftLimit: 500,
  },
};

function step(
  name: string,
  words: { readonly summary: string; readonly description: string; readonly reason?: string },
  of: DeclaredOperation,
  input: InputClass,
): Operation {
  return {
    route: `POST ${ONE}/${name}`,
    of,
    parameters: [ACCOUNT_ID, IF_MATCH],
    summary: words.summary,
    description: words.description,
    body: {
      description: 'The reason, for the records of the bank.',
      input,
      content: { 'application/json': { example: { reason: words.reason ?? 'Court order 2026-114' } } },
      wrong: [{ reason: 7 }, { reason: 'x'.repeat(MAX_REASON + 1) }],
    },
    answers: { 200: answer('The account after the change.', 'Account', undefined, TAGGED) },
  };
}

/** An account, and what operators do to it. */
export const accountApi: Part = {
  tag: { name: 'Accounts', description: 'The accounts of a program. Operators open, change, restrict and close them.' },
  records: [
    {
      of: Account,
      limits: NewAccountRecord,
      omit: ['version'],
      differs: { balances: ref('Balances', 'What is posted, held and available, all of one moment.') },
      example: EXAMPLE,
    },
    { of: Balances, omit: ['currency'] },
    {
      of: EventChain,
      differs: {
        lastHash: { pattern: '^([0-9a-f]{64})?$' },
      },
      example: {
        events: 1042,
        checked: MAX_LINKS,
        intact: true,
        brokenAt: '',
        lastHash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      },
    },
  ],
  operations: {
    openAccount: {
      route: 'POST /accounts',
      summary: 'Open an account',
      description: 'Opens an account of customers of the program. Its status is OPEN, and its balance is zero.',
      of: OPEN_ACCOUNT,
      body: {
        description: 'The new account.',
        input: NewAccountRecord,
        content: { 'application/json': { example: SENT } },
        wrong: [{ accountType: 'Wood', colour: 'red' }, { timeZone: 'EST' }],
      },
      answers: {
        201: answer('The account that was opened.', 'Account', undefined, {
          ...location(`/accounts/${ID}`),
          ...TAGGED,
        }),
      },
    },
    getAccount: {
      route: `GET ${ONE}`,
      summary: 'Get an account',
      description: 'One account with its balances. The `Location` of a new account points here.',
      of: READ_ACCOUNTS,
      parameters: [ACCOUNT_ID, IF_NONE_MATCH, IF_MATCH],
      answers: { 200: answer('The account.', 'Account', undefined, TAGGED), 304: NOT_MODIFIED },
      refusals: () => [new PreconditionFailed()],
    },
    getEventChain: {
      route: `GET ${ONE}/event-chain`,
      summary: 'Verify the record of an account',
      description: `Whether the newest ${MAX_LINKS} events of the account match their hashes, and none is missing.`,
      of: VERIFY_EVENT_CHAIN,
      parameters: [ACCOUNT_ID],
      answers: { 200: answer('The end of the chain.', 'EventChain') },
    },
    updateAccount: {
      route: `PATCH ${ONE}`,
      summary: 'Change an account',
      description:
        'A JSON merge patch (RFC 7396): an absent field stays as it is, and null means no overdraft limit. The currency and the opening day never change; the time zone counts from then on, for the days of all reads and of documents that are issued later.',
      of: UPDATE_ACCOUNT,
      parameters: [ACCOUNT_ID, IF_MATCH],
      body: {
        description: 'The changes.',
        input: AccountPatchRecord,
        content: {
          'application/json': { example: { accountType: 'SAVINGS', interestBearing: true } },
          'application/merge-patch+json': { example: { overdraftLimit: 250.5 } },
        },
        wrong: [{ accountType: 'Wood' }],
      },
      answers: { 200: answer('The account after the change.', 'Account', undefined, TAGGED) },
      refusals: () => [new InvalidInput('rule_broken', [LIMIT_RANGE])],
    },
    restrictAccount: step(
      'restrict',
      {
        summary: 'Restrict an account',
        description: 'The account gets no holds and no new cards, while transactions can still be posted.',
      },
      RESTRICT_ACCOUNT,
      ReasonInput,
    ),
    unrestrictAccount: step(
      'unrestrict',
      { summary: 'Lift the restriction of an account', description: 'The account is OPEN again.' },
      UNRESTRICT_ACCOUNT,
      OptionalReasonInput,
    ),
    closeAccount: step(
      'close',
      {
        summary: 'Close an account',
        description:
          'Closes an account whose balance is zero and of which nothing is held, and all its cards that are not lost, stolen or closed. A closed account is never opened again; its history and its documents stay available.',
        reason: 'Closed at the wish of its owner',
      },
      CLOSE_ACCOUNT,
      ReasonInput,
    ),
  },
};
