import type { Router } from 'express';
import { readJson } from '../../platform/http/body.js';
import { sendRecord } from '../../platform/http/conditions.js';
import { callerOf } from '../../platform/http/exchange.js';
import { exactRouter, refuseOtherMethods } from '../../platform/http/exact-router.js';
import { noQuery, queryOf } from '../../platform/http/query.js';
import { readInput, readRecord } from '../../platform/input/read-input.js';
import type { CardView } from './card.entity.js';
import { CardQuery, CardRecord } from './card.inputs.js';
import type { CardService } from './card.service.js';
import { READ_CARDS } from './card.operations.js';

/** Contract 4.11, and the card that it made. `prefix` is the segment before `v1`. */
export function cardRoutes(cards: CardService, prefix: string): Router {
  const router = exactRouter();
  router.post(`/${prefix}/v1/cards`, noQuery, async (req, res) => {
    const caller = callerOf(req);
    cards.creating.allow(caller, null);
    const record = readRecord(CardRecord, await readJson(req));
    const card = await cards.create(caller, record.accountId, record);
    const [id, of] = [card.cardId, card.accountId].map(encodeURIComponent);
    res.status(201).location(`/${prefix}/v1/cards/${id}?accountId=${of}`);
    sendRecord(req, res, card, toRest(card));
  });

  // The id of a card is one in its account alone, so its address names that, too.
  router.get(`/${prefix}/v1/cards/:cardId`, async (req, res) => {
    const caller = callerOf(req);
    caller.require(READ_CARDS);
    const { accountId } = readInput(CardQuery, Object.fromEntries(queryOf(req, ['accountId'])));
    const card = await cards.get(caller, accountId, req.params.cardId);
    sendRecord(req, res, card, toRest(card));
  });

  return refuseOtherMethods(router);
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
  };
}

function capitalised(word: string): string {
  return word.charAt(0) + word.slice(1).toLowerCase();
}
