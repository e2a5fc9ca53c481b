import { ACCOUNT_ID } from '../account/account.rest.js';
import { exactNumber } from '../../platform/http/json.js';
import { answer } from '../../platform/openapi/operation.js';
import { record, value } from '../../platform/openapi/schema.js';
import { InvalidInput } from '../../shared/errors.js';
import { LIMIT_FIELDS, type TransferLimitsView } from './limit.entity.js';
import { TransferLimitsPatchRecord } from './limit.inputs.js';
import { CHANGE_LIMITS, READ_LIMITS } from './limit.operations.js';
import { LIMIT_RANGE } from './limit.rules.js';
import type { LimitService } from './limit.service.js';
import { restOver, type RestPart } from '../../platform/rest/rest.js';

const ALWAYS: readonly string[] = ['accountId', 'currency', 'transfersToday'];
const NO_AMOUNTS: readonly string[] = [...ALWAYS, 'transfersPerDay'];
const EXAMPLE = {
  accountId: 'demo-1001',
  currency: 'USD',
  perTransfer: exactNumber('5000.00'),
  perDay: exactNumber('10000.00'),
  remainingToday: exactNumber('9750.00'),
  transfersToday: 1,
};

interface Services {
  readonly limits: LimitService;
}
const rest = restOver<Services>();

/** Serves how much may leave an account. */
export const limitRest: RestPart<Services> = {
  tag: { name: 'Transfer limits', description: 'How much may leave an account by transfers and by holds of cards.' },
  schemas: {
    TransferLimits: record(
      'What may leave an account, and what is left of it. A limit that does not exist is absent, and so is what would be left of it.',
      {
        accountId: value('ID', "The bank's own id of the account."),
        currency: value('Currency', 'The currency of the amounts.'),
        perTransfer: value('Decimal', 'The largest transfer.'),
        perDay: value('Decimal', 'The maximum amount of all transfers of a day.'),
        remainingToday: value('Decimal', 'What is left of `perDay` today.'),
        per30Days: value('Decimal', 'The most that transfers of today and the 29 days before may be together.'),
        remaining30Days: value('Decimal', 'The amount that is left of `per30Days`.'),
        transfersPerDay: value('Int', 'The maximum number of transfers of a day.'),
        transfersToday: value('Int', 'How many transfers left the account today.'),
        cardHoldsPerDay: value('Decimal', 'The most that holds of cards of a day may keep back and take together.'),
        remainingCardHoldsToday: value('Decimal', 'What is left of `cardHoldsPerDay` today.'),
      },
      LIMIT_FIELDS.filter(name => name !== 'version' && !ALWAYS.includes(name)),
    ),
  },
  operations: {
    getTransferLimits: rest(READ_LIMITS, 'GET /accounts/{accountId}/transfer-limits', {
      summary: 'Get the limits of an account',
      description:
        "The limits of the program in the account's currency, or those that operators set for the account, and what is left of them by the account's day.",
      path: { accountId: ACCOUNT_ID },
      versioned: true,
      run: ({ caller, path }, { limits }) => limits.get(caller, path.accountId),
      answer: answer('The limits.', 'TransferLimits', EXAMPLE),
      show: restLimits,
    }),
    setTransferLimits: rest(CHANGE_LIMITS, 'PATCH /accounts/{accountId}/transfer-limits', {
      summary: 'Set limits of an account',
      description:
        'A JSON merge patch (RFC 7396): an absent field stays as it is, and null means the limit of the program.',
      path: { accountId: ACCOUNT_ID },
      versioned: true,
      dryRun: true,
      body: {
        description: 'The changes.',
        input: TransferLimitsPatchRecord,
        example: { perDay: 10_000 },
        mergePatch: { perDay: 10_000 },
      },
      refusals: () => [new InvalidInput('rule_broken', [LIMIT_RANGE])],
      run: ({ caller, path, body, versions, dryRun }, { limits }) =>
        limits.change(caller, path.accountId, body, { versions }, dryRun),
      answer: answer('The limits after the change.', 'TransferLimits', EXAMPLE),
      show: restLimits,
    }),
  },
};

/** Limits as REST shows them. Amounts are numbers with all their digits. */
function restLimits(view: TransferLimitsView): object {
  const { version: _, ...limits } = view;
  const ownLimits = Object.entries(limits).filter(([, limit]) => limit !== null) as [string, string | number][];
  return Object.fromEntries(
    ownLimits.map(([name, limit]) => [name, NO_AMOUNTS.includes(name) ? limit : exactNumber(String(limit))]),
  );
}
