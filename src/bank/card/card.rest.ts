import { AccountNotFound } from '../account/account.errors.js';
import { answer, parameter } from '../../platform/openapi/operation.js';
import { FORMS, MASKED, oneOf } from '../../platform/openapi/schema.js';
import { Card, type CardView } from './card.entity.js';
import { CardNotFound, MAX_CARDS, UnknownCardHolder } from './card.errors.js';
import { CardQuery, CardRecord } from './card.inputs.js';
import { CREATE_CARD, READ_CARDS } from './card.operations.js';
import type { CardService } from './card.service.js';
import { restOver, type RestPart } from '../../platform/rest/rest.js';

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

interface Services {
  readonly cards: CardService;
}
const rest = restOver<Services>();

/** Contract 4.11, and the card that it made. `prefix` is the segment before `v1`. */
export function cardRest(prefix: string): RestPart<Services> {
  const path = `/${prefix}/v1/cards` as const;
  return {
    tag: { name: 'Cards', description: 'The cards of an account.' },
    records: [
      {
        of: Card,
        limits: CardRecord,
        omit: ['version', 'updatedAt'],
        optional: ['metadata'],
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
      createCard: rest(CREATE_CARD, `POST ${path}`, {
        summary: 'Create a card',
        description: `The number is stored encrypted and later shown masked, the CVV is not stored, and of the PIN only a value that can verify it is stored. An account has at most ${MAX_CARDS} cards.`,
        versioned: true,
        body: {
          description: 'The new card.',
          input: CardRecord,
          example: SENT,
        },
        refusals: () => [new UnknownCardHolder()],
        run: ({ caller, body }, { cards }) => cards.create(caller, body.accountId, body),
        created: {
          at: ({ cardId, accountId }) =>
            `${path}/${encodeURIComponent(cardId)}?accountId=${encodeURIComponent(accountId)}`,
          example: `${path}/${EXAMPLE.cardId}?accountId=${EXAMPLE.accountId}`,
        },
        answer: answer('The new card.', 'Card'),
        show: toRest,
      }),
      getCard: rest(READ_CARDS, `GET ${path}/{cardId}`, {
        summary: 'Get a card',
        description: 'The current record of the card. The `Location` of a new card points here.',
        path: { cardId: parameter('path', 'cardId', 'The id of the card.', FORMS.ID, EXAMPLE.cardId) },
        versioned: true,
        query: { input: CardQuery, examples: { accountId: EXAMPLE.accountId } },
        refusals: () => [new AccountNotFound(), new CardNotFound()],
        run: ({ caller, path: { cardId }, query }, { cards }) => cards.get(caller, query.accountId, cardId),
        answer: answer('The card.', 'Card'),
        show: toRest,
      }),
    },
  };
}

/** Contract 2.5, in its order. What must not come back is null. */
function toRest(card: CardView): object {
  const {
    cardId,
    type,
    number,
    currency,
    expiration,
    last4,
    accountId,
    cardHolderId,
    cardProductId,
    pinIsSet,
    status,
    created,
    metadata,
  } = card;
  return {
    cardId,
    type: capitalised(type),
    number,
    currency,
    expiration,
    last4,
    cvv: null,
    accountId,
    cardHolderId,
    cardProductId,
    pin: null,
    pinIsSet: String(pinIsSet),
    status: capitalised(status),
    created,
    // The contract's record has none.
    ...(Object.keys(metadata).length > 0 && { metadata }),
  };
}

function capitalised(word: string): string {
  return word.charAt(0) + word.slice(1).toLowerCase();
}
