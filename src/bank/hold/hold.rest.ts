import { ACCOUNT_ID } from '../account/account.rest.js';
import { contractRecord, exactNumber } from '../../platform/http/json.js';
import { ref } from '../../platform/input/json-schema.js';
import { answer } from '../../platform/openapi/operation.js';
import type { PathParameter } from '../../platform/rest/rest-words.js';
import { restOver, type RestPart } from '../../platform/rest/rest.js';
import { InvalidInput } from '../../shared/errors.js';
import { Hold, type HoldView } from './hold.entity.js';
import { HoldNotFound } from './hold.errors.js';
import { CaptureRecord, HOLD_ID, HoldInput, HoldQuery, HoldRecord } from './hold.inputs.js';
import { CAPTURE_HOLD, PLACE_HOLD, READ_HOLDS, RELEASE_HOLD } from './hold.operations.js';
import type { HoldService } from './hold.service.js';

const SENT = {
  holdId: 'auth-17',
  description: 'Quarry Road Fuel, pump 4',
  expiresAt: '2026-04-07T18:05:00.000Z',
  cardId: 'card-1001-1',
  reference: 'INV-2041',
  amount: exactNumber('75.00'),
};
const ID_IN_PATH: PathParameter = {
  description: 'The id of the hold.',
  schema: { type: 'string', pattern: HOLD_ID.source },
  example: SENT.holdId,
  unknown: () => new HoldNotFound(),
};
const BROKEN = new InvalidInput('rule_broken', [
  { pointer: '/amount', code: 'range', detail: 'Must be more than 0 and at most 10^15 minor units of the currency.' },
]);
const POSITIVE = { exclusiveMinimum: 0 };
const NOT_NEGATIVE = { minimum: 0 };

const IN_PATH = { accountId: ACCOUNT_ID, holdId: ID_IN_PATH };

interface Services {
  readonly holds: HoldService;
}
const rest = restOver<Services>();

/** The holds of an account. */
export const holdRest: RestPart<Services> = {
  tag: { name: 'Holds', description: 'Money of an account that is kept back for payments that are expected.' },
  records: [
    {
      of: Hold,
      limits: HoldInput,
      differs: {
        amount: POSITIVE,
        capturedAmount: NOT_NEGATIVE,
        heldAmount: NOT_NEGATIVE,
      },
      example: {
        ...SENT,
        accountId: 'demo-1001',
        currency: 'USD',
        capturedAmount: exactNumber('0.00'),
        heldAmount: exactNumber('75.00'),
        captures: 0,
        status: 'ACTIVE',
        endedAt: '',
        updatedAt: '2026-03-31T18:05:00.000Z',
      },
    },
  ],
  operations: {
    listHolds: rest(READ_HOLDS, 'GET /accounts/{accountId}/holds', {
      summary: 'List holds',
      description: 'The holds of the account, the newest first, page by page.',
      path: { accountId: ACCOUNT_ID },
      query: { input: HoldQuery, examples: { status: 'ACTIVE' } },
      page: {
        name: 'HoldPage',
        description: 'A page of the holds of an account.',
        elements: ['holds', 'The newest first.', ref('Hold')],
        next: '/accounts/demo-1001/holds?offSet=1&limit=1',
        hasNumbers: true,
      },
      run: ({ caller, path, page, query }, { holds }) => holds.page(caller, path.accountId, page, query.status ?? null),
      show: restHold,
    }),
    placeHold: rest(PLACE_HOLD, 'POST /accounts/{accountId}/holds', {
      summary: 'Place a hold',
      description:
        'Keeps money of the account back for a payment that is expected. The available balance goes down, and the posted balance stays. The same hold again is returned as it stands.',
      path: { accountId: ACCOUNT_ID },
      dryRun: true,
      body: {
        description: 'The new hold.',
        input: HoldRecord,
        example: SENT,
      },
      refusals: () => [BROKEN],
      run: ({ caller, path, body, dryRun }, { holds }) =>
        holds.place(caller, path.accountId, { ...body, amount: String(body.amount) }, dryRun),
      created: {
        at: ({ holdId }, { path }) =>
          `/accounts/${encodeURIComponent(path.accountId)}/holds/${encodeURIComponent(holdId)}`,
        example: `/accounts/demo-1001/holds/${SENT.holdId}`,
      },
      answer: answer('The hold.', 'Hold'),
      show: restHold,
    }),
    getHold: rest(READ_HOLDS, 'GET /accounts/{accountId}/holds/{holdId}', {
      summary: 'Get a hold',
      description: 'One hold of the account. The `Location` of a new hold points here.',
      path: IN_PATH,
      run: ({ caller, path }, { holds }) => holds.get(caller, path.accountId, path.holdId),
      answer: answer('The hold.', 'Hold'),
      show: restHold,
    }),
    captureHold: rest(CAPTURE_HOLD, 'POST /accounts/{accountId}/holds/{holdId}/capture', {
      summary: 'Capture a hold',
      description:
        'Posts a debit of the amount to the account. What remains of the hold is released unless `keepRest` is true. The transaction has the id of the hold with the number of the capture behind it, such as `auth-17~1`.',
      path: IN_PATH,
      dryRun: true,
      body: {
        description: 'What is captured; an empty object captures all that remains.',
        input: CaptureRecord,
        example: { amount: exactNumber('48.20'), keepRest: false },
      },
      refusals: () => [BROKEN],
      run: ({ caller, path, body: { amount = null, keepRest }, dryRun }, { holds }) => {
        const captured = { amount: amount === null ? null : String(amount), keepRest: keepRest ?? false };
        return holds.capture(caller, path.accountId, { holdId: path.holdId, ...captured }, dryRun);
      },
      answer: answer('The hold after the capture.', 'Hold'),
      show: restHold,
    }),
    releaseHold: rest(RELEASE_HOLD, 'POST /accounts/{accountId}/holds/{holdId}/release', {
      summary: 'Release a hold',
      description: 'Ends a hold before its time is over, and releases what it keeps back.',
      path: IN_PATH,
      dryRun: true,
      run: ({ caller, path, dryRun }, { holds }) =>
        holds.release(caller, path.accountId, { holdId: path.holdId }, dryRun),
      answer: answer('The hold, which has ended.', 'Hold'),
      show: restHold,
    }),
  },
};

/** A hold as REST shows it. Amounts are numbers with all their digits: `75.00`. */
export function restHold(hold: HoldView): object {
  const { amount, capturedAmount, heldAmount } = hold;
  return {
    ...contractRecord(hold),
    amount: exactNumber(amount),
    capturedAmount: exactNumber(capturedAmount),
    heldAmount: exactNumber(heldAmount),
  };
}
