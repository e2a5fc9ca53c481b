import { InvalidInput, Refusal } from '../shared/errors.js';

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
    super('The account has a card with this id, or the program has one with this number.');
  }
}

export class TooManyCards extends Refusal {
  readonly code = 'too_many_cards';
  constructor() {
    super(`An account has at most ${MAX_CARDS} cards.`);
  }
}

export class CardStateConflict extends Refusal {
  readonly code = 'card_state';
  constructor() {
    super('The present state of the card does not allow this. Lost, stolen and closed are final.');
  }
}

export class UnknownCardHolder extends InvalidInput {
  constructor() {
    super('rule_broken', [
      {
        pointer: '/cardHolderId',
        code: 'unknown_customer',
        detail: 'Is no customer of the program: it must be an owner or an authorised user.',
      },
    ]);
  }
}
