import { ACCOUNT_ID } from '../account/account.openapi.js';
import { contractRecord, exactNumber } from '../../platform/http/json.js';
import { ref } from '../../platform/input/json-schema.js';
import { location } from '../../platform/openapi/headers.js';
import { DRY_RUN, answer, parameter, type Parameter, type Part } from '../../platform/openapi/operation.js';
import { InvalidInput } from '../../shared/errors.js';
import { Hold, type HoldView } from './hold.entity.js';
import { HoldNotFound } from './hold.errors.js';
import { CaptureRecord, HOLD_ID, HoldInput, HoldQuery, HoldRecord } from './hold.inputs.js';
import { CAPTURE_HOLD, PLACE_HOLD, READ_HOLDS, RELEASE_HOLD } from './hold.operations.js';

const LIST = '/accounts/{accountId}/holds';
const ONE = `${LIST}/{holdId}` as const;
const SENT = {
  holdId: 'auth-17',
  description: 'Quarry Road Fuel, pump 4',
  expiresAt: '2026-04-07T18:05:00.000Z',
  cardId: 'card-1001-1',
  reference: 'INV-2041',
  amount: exactNumber('75.00'),
};
const HOLD_PARAMETER: Parameter = {
  ...parameter('path', 'holdId', 'The id of the hold.', { type: 'string', pattern: HOLD_ID.source }, SENT.holdId),
  unknown: () => new HoldNotFound(),
};
const BROKEN = new InvalidInput('rule_broken', [
  { pointer: '/amount', code: 'range', detail: 'Must be more than 0 and at most 10^15 minor units of the currency.' },
]);
const POSITIVE = { exclusiveMinimum: 0 };
const NOT_NEGATIVE = { minimum: 0 };

/** The holds of an account. */
export const holdApi: Part = {
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
      },
    },
  ],
  operations: {
    listHolds: {
      route: `GET ${LIST}`,
      summary: 'List holds',
      description: 'The holds of the account, the newest first, page by page.',
      of: READ_HOLDS,
      parameters: [ACCOUNT_ID],
      query: { input: HoldQuery, examples: { status: 'ACTIVE' }, wrong: { status: 'OPEN' } },
      page: {
        name: 'HoldPage',
        description: 'A page of the holds of an account.',
        elements: ['holds', 'The newest first.', ref('Hold')],
        next: '/accounts/demo-1001/holds?offSet=1&limit=1',
        hasNumbers: true,
      },
    },
    placeHold: {
      route: `POST ${LIST}`,
      summary: 'Place a hold',
      description:
        'Keeps money of the account back for a payment that is expected. The available balance goes down, and the posted balance stays. The same hold again is returned as it stands.',
      of: PLACE_HOLD,
      parameters: [ACCOUNT_ID, DRY_RUN],
      body: {
        description: 'The new hold.',
        input: HoldRecord,
        content: { 'application/json': { example: SENT } },
        wrong: [{ amount: 'much' }, { holdId: 'x'.repeat(57) }],
      },
      answers: {
        201: answer('The hold.', 'Hold', undefined, location(`/accounts/demo-1001/holds/${SENT.holdId}`)),
      },
      refusals: () => [BROKEN],
    },
    getHold: {
      route: `GET ${ONE}`,
      summary: 'Get a hold',
      description: 'One hold of the account. The `Location` of a new hold points here.',
      of: READ_HOLDS,
      parameters: [ACCOUNT_ID, HOLD_PARAMETER],
      answers: { 200: answer('The hold.', 'Hold') },
    },
    captureHold: {
      route: `POST ${ONE}/capture`,
      summary: 'Capture a hold',
      description:
        'Posts a debit of the amount to the account. What remains of the hold is released unless `keepRest` is true. The transaction has the id of the hold with the number of the capture behind it, such as `auth-17~1`.',
      of: CAPTURE_HOLD,
      parameters: [ACCOUNT_ID, HOLD_PARAMETER, DRY_RUN],
      body: {
        description: 'What is captured; an empty object captures all that remains.',
        input: CaptureRecord,
        content: { 'application/json': { example: { amount: exactNumber('48.20'), keepRest: false } } },
        wrong: [{ amount: 'much' }],
      },
      answers: { 200: answer('The hold after the capture.', 'Hold') },
      refusals: () => [BROKEN],
    },
    releaseHold: {
      route: `POST ${ONE}/release`,
      summary: 'Release a hold',
      description: 'Ends a hold before its time is over, and releases what it keeps back.',
      of: RELEASE_HOLD,
      parameters: [ACCOUNT_ID, HOLD_PARAMETER, DRY_RUN],
      answers: { 200: answer('The hold, which has ended.', 'Hold') },
    },
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
