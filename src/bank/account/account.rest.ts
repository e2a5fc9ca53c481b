import { ref } from '../../platform/input/json-schema.js';
import type { InputClass } from '../../platform/input/input.js';
import { answer } from '../../platform/openapi/operation.js';
import { FORMS } from '../../platform/openapi/schema.js';
import { InvalidInput } from '../../shared/errors.js';
import { Account, type AccountView } from './account.entity.js';
import { AccountNotFound } from './account.errors.js';
import { LIMIT_RANGE } from './account.record.js';
import { EventChain, MAX_LINKS } from '../event/event-chain.entity.js';
import { Balances, balancesOf } from './balances.entity.js';
import {
  AccountPatchRecord,
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
import { exactNumber, contractRecord } from '../../platform/http/json.js';
import type { AccountService } from './account.service.js';
import type { OpeningService } from './opening/opening.service.js';
import type { AccountStep, AdministrationService } from './administration/administration.service.js';
import { restOver, type RestOperation, type RestPart } from '../../platform/rest/rest.js';
import type { PathParameter } from '../../platform/rest/rest-words.js';
import type { AccountChainService } from './chain/account-chain.service.js';

export { MAX_OWNERS } from './account.inputs.js';

const ID = 'demo-1001';

/** In the path of everything that belongs to an account. */
export const ACCOUNT_ID: PathParameter = {
  description: 'The id of the account. The answer is 404 if the account does not exist or the caller may not see it.',
  schema: FORMS.ID,
  example: ID,
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
  metadata: { ledger: '77-A' },
  owners: ['0000d001-0000-4000-8000-000000000000'],
};
const { overdraftLimit: _, owners: __, ...KEPT } = SENT;
const EXAMPLE = {
  ...KEPT,
  status: 'OPEN',
  updatedAt: '2026-03-31T18:05:00.000Z',
  closedAt: '',
  availableBalance: 0,
  balances: {
    posted: 0,
    available: 0,
    held: 0,
    overdraftLimit: 500,
  },
};

interface Services {
  readonly accounts: AccountService;
  readonly opening: OpeningService;
  readonly administration: AdministrationService;
  readonly accountChains: AccountChainService;
}
const rest = restOver<Services>();

/** Describes a step that operators take with an account for a reason. */
function step(
  of: DeclaredOperation,
  name: AccountStep,
  words: { readonly summary: string; readonly description: string; readonly reason?: string },
  input: InputClass<{ reason?: string | null }>,
): RestOperation<Services> {
  return rest(of, `POST /accounts/{accountId}/${name}`, {
    summary: words.summary,
    description: words.description,
    path: { accountId: ACCOUNT_ID },
    versioned: true,
    body: {
      description: 'The reason, for the records of the bank.',
      input,
      example: { reason: words.reason ?? 'Court order 2026-114' },
    },
    run: ({ caller, path, body: { reason = null }, versions }, { administration }) =>
      administration.take(caller, name, path.accountId, reason, { versions }),
    answer: answer('The account after the change.', 'Account'),
    show: toRest,
  });
}

/** An account, and what operators do to it. */
export const accountRest: RestPart<Services> = {
  tag: { name: 'Accounts', description: 'The accounts of a program. Operators open, change, restrict and close them.' },
  records: [
    {
      of: Account,
      limits: NewAccountRecord,
      omit: ['version'],
      differs: { balances: ref('Balances', 'The posted, held and available amounts of one moment.') },
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
    openAccount: rest(OPEN_ACCOUNT, 'POST /accounts', {
      summary: 'Open an account',
      description: 'Opens an account of customers of the program. Its status is OPEN, and its balance is zero.',
      versioned: true,
      body: {
        description: 'The new account.',
        input: NewAccountRecord,
        example: SENT,
      },
      run: ({ caller, body }, { opening }) => opening.open(caller, body),
      created: { at: ({ accountId }) => `/accounts/${encodeURIComponent(accountId)}`, example: `/accounts/${ID}` },
      answer: answer('The account that was opened.', 'Account'),
      show: toRest,
    }),
    getAccount: rest(READ_ACCOUNTS, 'GET /accounts/{accountId}', {
      summary: 'Get an account',
      description: 'One account with its balances. The `Location` of a new account points here.',
      path: { accountId: ACCOUNT_ID },
      versioned: true,
      run: ({ caller, path }, { accounts }) => accounts.get(caller, path.accountId),
      answer: answer('The account.', 'Account'),
      show: toRest,
    }),
    getEventChain: rest(VERIFY_EVENT_CHAIN, 'GET /accounts/{accountId}/event-chain', {
      summary: 'Verify the record of an account',
      description: `Whether the newest ${MAX_LINKS} events of the account match their hashes, and none is missing.`,
      path: { accountId: ACCOUNT_ID },
      run: ({ caller, path }, { accountChains }) => accountChains.get(caller, path.accountId),
      answer: answer('The end of the chain.', 'EventChain'),
      show: contractRecord,
    }),
    updateAccount: rest(UPDATE_ACCOUNT, 'PATCH /accounts/{accountId}', {
      summary: 'Change an account',
      description:
        'A JSON merge patch (RFC 7396): an absent field stays as it is, and null means no overdraft limit. The currency and the opening day never change; the time zone counts from then on, for the days of all reads and of documents that are issued later.',
      path: { accountId: ACCOUNT_ID },
      versioned: true,
      body: {
        description: 'The changes.',
        input: AccountPatchRecord,
        example: { accountType: 'SAVINGS', interestBearing: true },
        mergePatch: { overdraftLimit: 250.5 },
      },
      refusals: () => [new InvalidInput('rule_broken', [LIMIT_RANGE])],
      run: ({ caller, path, body, versions }, { administration }) =>
        administration.update(caller, path.accountId, body, { versions }),
      answer: answer('The account after the change.', 'Account'),
      show: toRest,
    }),
    restrictAccount: step(
      RESTRICT_ACCOUNT,
      'restrict',
      {
        summary: 'Restrict an account',
        description: 'The account gets no holds and no new cards, while transactions can still be posted.',
      },
      ReasonInput,
    ),
    unrestrictAccount: step(
      UNRESTRICT_ACCOUNT,
      'unrestrict',
      { summary: 'Lift the restriction of an account', description: 'The account is OPEN again.' },
      OptionalReasonInput,
    ),
    closeAccount: step(
      CLOSE_ACCOUNT,
      'close',
      {
        summary: 'Close an account',
        description:
          'Closes an account whose balance is zero and of which nothing is held, and all its cards that are not lost, stolen or closed. A closed account is never opened again; its history and its documents stay available.',
        reason: 'Closed at the wish of its owner',
      },
      ReasonInput,
    ),
  },
};

function toRest(account: AccountView): object {
  const { accountId, accountType, currency, timeZone, status, openedOn, interestBearing, availableBalance } = account;
  const { metadata, updatedAt, closedAt } = account;
  const { currency: _currency, ...amounts } = balancesOf(account);
  const balances = Object.entries(amounts).map(([name, amount]) => [name, exactNumber(amount)]);
  return {
    accountId,
    accountType,
    currency,
    timeZone,
    status,
    openedOn,
    interestBearing,
    metadata,
    updatedAt,
    closedAt: closedAt ?? '',
    availableBalance: exactNumber(availableBalance),
    balances: Object.fromEntries(balances) as object,
  };
}
