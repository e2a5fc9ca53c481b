import { InvalidInput, Refusal } from '../../shared/errors.js';

/** The list of an account's cards is not paged, so it must end somewhere. */
export const MAX_CARDS = 100;

export class CardNotFound extends Refusal {
  readonly code = 'card_not_found';
  constructor() {
    super('The account has no such card.');
  }
}

export class CardExists extends Refusal {
  readonly code = 'card_exists';
  constructor() {
    super('A card with this id or this number exists. Use another cardId or number.');
  }
}

export class TooManyCards extends Refusal {
  readonly code = 'too_many_cards';
  constructor() {
    super(`An account has at most ${MAX_CARDS} cards. Use a card that the account has.`);
  }
}

export class CardStateConflict extends Refusal {
  readonly code = 'card_state';
  constructor() {
    super('The status of the card does not allow this change. Read the status; LOST, STOLEN and CLOSED are final.');
  }
}

export class UnknownCardHolder extends InvalidInput {
  constructor() {
    super('rule_broken', [
      {
        pointer: '/cardHolderId',
        code: 'unknown_customer',
        detail: 'cardHolderId does not name a customer of this program. Send the id of an owner or an authorised user.',
      },
    ]);
  }
}
