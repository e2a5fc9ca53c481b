import { AccountNotFound } from '../account/account.errors.js';
import { ref } from '../platform/input/json-schema.js';
import { readInput, readRecord } from '../platform/input/read-input.js';
import { location } from '../platform/openapi/headers.js';
import type { Described, Parameter } from '../platform/openapi/operation.js';
import { unknownParameter } from '../platform/openapi/paging.js';
import { refusalOf } from '../platform/openapi/refusals.js';
import { bankId, currencyCode, instant, masked, oneOf, record, text } from '../platform/openapi/schema.js';
import { BANK_ID } from '../shared/ids.js';
import { CardExists, CardNotFound, MAX_CARDS, TooManyCards, UnknownCardHolder } from './card.errors.js';
import { CardQuery, CardRecord, REST_STATUSES, REST_TYPES } from './card.inputs.js';

/** A number of the card networks for tests. */
const SENT = {
  type: 'Physical',
  number: '4111111111111111',
  currency: 'USD',
  expiration: '1299',
  last4: '1111',
  cvv: null,
  accountId: 'demo-1001',
  cardHolderId: '0000d001-0000-4000-8000-000000000000',
  cardProductId: 'classic',
  pin: '4821',
  pinIsSet: null,
  status: 'Active',
};
const CREATED = {
  cardId: '1388ec03-bf58-4655-8332-0986fbe39dcb',
  ...SENT,
  ...{ number: '************1111', pin: null, pinIsSet: 'true', created: '2026-11-21T17:36:56.734Z' },
};

/** A card of the demo data. */
const READ = { ...CREATED, cardId: 'card-1001-1', accountId: 'demo-1001', status: 'Active' };

const schemas: Described['schemas'] = {
  Card: record('A card, with its number masked.', {
    cardId: bankId('Identifies the card in its account.'),
    type: oneOf(REST_TYPES, 'Whether the card is physical or virtual.'),
    number: masked('Masked: only the last four digits are readable.', '************1111'),
    currency: currencyCode('Currency of the card (ISO 4217).'),
    expiration: text('Month and year of expiry, MMYY.', { pattern: String.raw`^(0[1-9]|1[0-2])\d\d$` }),
    last4: text('The last four digits of the number.', { pattern: String.raw`^\d{4}$` }),
    cvv: { type: 'null', description: 'Always null: the CVV is not stored.' },
    accountId: bankId('The account that the card belongs to.'),
    cardHolderId: text('The id of the card holder.', { format: 'uuid' }),
    cardProductId: bankId('The card product.'),
    pin: { type: 'null', description: 'Always null: the PIN is not shown.' },
    pinIsSet: oneOf(['true', 'false'], 'Whether the card has a PIN.'),
    status: oneOf(REST_STATUSES, 'Whether the card can be used.'),
    created: instant('When the card was created.'),
  }),
};

const CARD_ID: Parameter = {
  name: 'cardId',
  in: 'path',
  description: 'The id of the card.',
  required: true,
  schema: { type: 'string', pattern: BANK_ID.source },
  example: READ.cardId,
};

/** Contract 4.11, and the card that it made. `prefix` is the segment before `v1`. */
export function cardApi(prefix: string): Described {
  const path = `/${prefix}/v1/cards`;
  return {
    tags: [{ name: 'Cards', description: 'The cards of an account.' }],
    schemas,
    operations: [
      {
        ...{ id: 'createCard', method: 'post', path, tag: 'Cards', scope: 'cards.write', summary: 'Create a card' },
        description: `The number is stored encrypted and later shown masked, the CVV is not stored, and of the PIN only a value that can verify it is stored. An account has at most ${MAX_CARDS} cards.`,
        body: {
          description: 'The new card.',
          input: CardRecord,
          content: { 'application/json': { example: SENT } },
        },
        answers: {
          201: {
            description: 'The new card.',
            headers: { Location: location(`${path}/${CREATED.cardId}?accountId=${CREATED.accountId}`) },
            content: { 'application/json': { schema: ref('Card'), example: CREATED } },
          },
        },
        refusals: () => [
          refusalOf(() => readRecord(CardRecord, { ...SENT, type: 'Wood' })),
          new AccountNotFound(),
          new CardExists(),
          new TooManyCards(),
          refusalOf(() => readRecord(CardRecord, { ...SENT, number: '4111111111111112', last4: '1112' })),
          new UnknownCardHolder(),
        ],
      },
      {
        ...{ id: 'getCard', method: 'get', path: `${path}/{cardId}`, tag: 'Cards', scope: 'cards.read' },
        summary: 'Get a card',
        description: 'The current record of the card. The `Location` of a new card points here.',
        parameters: [CARD_ID],
        query: { input: CardQuery, examples: { accountId: READ.accountId } },
        answers: {
          200: { description: 'The card.', content: { 'application/json': { schema: ref('Card'), example: READ } } },
        },
        refusals: () => [
          unknownParameter('accountId'),
          refusalOf(() => readInput(CardQuery, {})),
          new AccountNotFound(),
          new CardNotFound(),
        ],
      },
    ],
  };
}
