import { AccountNotFound } from '../account/account.errors.js';
import { IF_MATCH, IF_NONE_MATCH, NOT_MODIFIED, TAGGED, location } from '../../platform/openapi/headers.js';
import { answer, parameter, type Part } from '../../platform/openapi/operation.js';
import { FORMS, MASKED, oneOf } from '../../platform/openapi/schema.js';
import { PreconditionFailed } from '../../shared/errors.js';
import { Card } from './card.entity.js';
import { CardNotFound, MAX_CARDS, UnknownCardHolder } from './card.errors.js';
import { CardQuery, CardRecord } from './card.inputs.js';
import { CREATE_CARD, READ_CARDS } from './card.operations.js';

/** A number of the card networks for tests. */
const SENT = {
  cardId: 'card-1001-1',
  number: '4111111111111111',
  expiration: '1299',
  last4: '1111',
  cvv: null,
  accountId: 'demo-1001',
  cardProductId: 'classic',
  pin: '4821',
  pinIsSet: null,
  status: 'Active',
};
/** A card of the demo data. */
const EXAMPLE = { ...SENT, number: '************1111', pin: null, pinIsSet: 'true' };

/** Contract 4.11, and the card that it made. `prefix` is the segment before `v1`. */
export function cardApi(prefix: string): Part {
  const path = `/${prefix}/v1/cards` as const;
  return {
    tag: { name: 'Cards', description: 'The cards of an account.' },
    records: [
      {
        of: Card,
        limits: CardRecord,
        omit: ['version'],
        differs: {
          number: MASKED,
          cardHolderId: FORMS.UUID,
          pinIsSet: oneOf(['true', 'false'], 'Whether the card has a PIN.'),
          cvv: { type: 'null', description: 'Always null: the CVV is not stored.' },
          pin: { type: 'null', description: 'Always null: the PIN is not shown.' },
        },
        example: EXAMPLE,
      },
    ],
    operations: {
      createCard: {
        route: `POST ${path}`,
        summary: 'Create a card',
        description: `The number is stored encrypted and later shown masked, the CVV is not stored, and of the PIN only a value that can verify it is stored. An account has at most ${MAX_CARDS} cards.`,
        of: CREATE_CARD,
        body: {
          description: 'The new card.',
          input: CardRecord,
          content: { 'application/json': { example: SENT } },
          wrong: [{ type: 'Wood' }, { number: '4111111111111112', last4: '1112' }],
        },
        answers: {
          201: answer('The new card.', 'Card', undefined, {
            ...location(`${path}/${EXAMPLE.cardId}?accountId=${EXAMPLE.accountId}`),
            ...TAGGED,
          }),
        },
        refusals: () => [new UnknownCardHolder()],
      },
      getCard: {
        route: `GET ${path}/{cardId}`,
        summary: 'Get a card',
        description: 'The current record of the card. The `Location` of a new card points here.',
        of: READ_CARDS,
        parameters: [
          parameter('path', 'cardId', 'The id of the card.', FORMS.ID, EXAMPLE.cardId),
          IF_NONE_MATCH,
          IF_MATCH,
        ],
        query: { input: CardQuery, examples: { accountId: EXAMPLE.accountId }, wrong: { accountId: '' } },
        answers: { 200: answer('The card.', 'Card', undefined, TAGGED), 304: NOT_MODIFIED },
        refusals: () => [new PreconditionFailed(), new AccountNotFound(), new CardNotFound()],
      },
    },
  };
}
