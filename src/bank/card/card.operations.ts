import { AccountClosed, AccountNotFound, AccountRestricted } from '../account/account.errors.js';
import { PreconditionFailed, type Refusal } from '../../shared/errors.js';
import { operation } from '../../shared/operation.js';
import { CardExists, CardNotFound, CardStateConflict, TooManyCards } from './card.errors.js';

export const READ_CARDS = operation('card.read', { scope: 'cards.read' });

export const CREATE_CARD = operation('card.create', {
  scope: 'cards.write',
  refusals: () => [
    new AccountNotFound(),
    new AccountRestricted(),
    new AccountClosed(),
    new CardExists(),
    new TooManyCards(),
  ],
});

const refusals = (): readonly Refusal[] => [
  new AccountNotFound(),
  new CardNotFound(),
  new PreconditionFailed(),
  new CardStateConflict(),
];

const STEP = { scope: 'cards.write', mayWait: true, refusals } as const;

/** The operations that give a card another status. */
export const CARD_STEPS = {
  activate: operation('card.activate', STEP),
  freeze: operation('card.freeze', STEP),
  unfreeze: operation('card.unfreeze', STEP),
  close: operation('card.close', STEP),
};

export const REPORT_CARD = operation('card.report', STEP);
