import { Field, ID, registerEnumType } from 'type-graphql';
import { DryRun } from '../../platform/graphql/flag.js';
import { ExpectedVersion } from '../../platform/graphql/expected-version.js';
import { namesRecord } from '../../platform/graphql/record-name.js';
import { ACCOUNT_ID } from '../account/account.entity.js';
import { Currency, DateTimeISO } from '../../platform/scalars/scalars.js';
import { Input } from '../../platform/input/input.js';
import { ListedMetadata, NewMetadata } from '../../platform/input/metadata.js';
import type { MetadataChange } from '../../shared/metadata.js';
import { Fits, Matches, Size, rule } from '../../platform/input/rules.js';
import { CardLoss, CardStatus, CardType } from './card.entity.js';
import { BOOKED } from '../../shared/calendar.js';
import { BANK_ID, BANK_ID_FORM } from '../../shared/ids.js';

/** The digit that makes the number's weighted sum end in 0 (ISO/IEC 7812-1, annex B). */
export function passesLuhn(number: string): boolean {
  let sum = 0;
  for (let place = 0; place < number.length; place++) {
    const digit = Number(number[number.length - 1 - place]) * (place % 2 === 0 ? 1 : 2);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}

const DIGITS = /^\d{12,19}$/;
const isCardNumber = (text: string): boolean => DIGITS.test(text) && passesLuhn(text);

/** A card is good until the last day of its month (UTC). */
function isNotExpired(expiration: string): boolean {
  const month = Number(expiration.slice(0, 2));
  const endsBefore = Date.UTC(2000 + Number(expiration.slice(2)), month, 1);
  return month >= 1 && month <= 12 && endsBefore > Date.now();
}

/** The fields of a new card that REST and GraphQL spell alike. */
@Input('A new card without its type and status.')
class CardDetails {
  @Matches(BANK_ID, BANK_ID_FORM)
  @Field(() => ID, {
    nullable: true,
    description: 'The id within its account, such as `card-17`; a UUID when absent.',
  })
  cardId?: string | null;

  @Fits('card_number', isCardNumber, 'Must be a card number of 12 to 19 digits with a valid check digit.', {
    pattern: DIGITS.source,
  })
  @Field(() => String, {
    description: 'The card number, 12 to 19 digits (ISO/IEC 7812-1), such as `4242424242424242`.',
  })
  number!: string;

  @Field(() => Currency, { description: 'The currency in which the card pays.' })
  currency!: string;

  @Fits('expired', isNotExpired, 'The card has expired. Send a month that is not in the past.')
  @Matches(/^(0[1-9]|1[0-2])\d\d$/, 'month and year, MMYY')
  @Field(() => String, {
    description: 'The last month of use, MMYY, such as `0929`; not in the past.',
  })
  expiration!: string;

  @rule({
    code: 'last4',
    detail: 'Must be the last four digits of the card number, or absent.',
    holds: (last4, { number }) => last4 === null || (typeof number === 'string' && last4 === number.slice(-4)),
    said: { schema: { pattern: String.raw`^\d{4}$` } },
  })
  @Field(() => String, {
    nullable: true,
    description: 'The end of the number, such as `4242`.',
  })
  last4?: string | null;

  @Matches(/^\d{3,4}$/, '3 or 4 digits')
  @Field(() => String, {
    nullable: true,
    description: 'The CVV, 3 or 4 digits, such as `123`. It is not stored.',
  })
  cvv?: string | null;

  @Matches(BANK_ID, BANK_ID_FORM)
  @Field(() => ID, { description: ACCOUNT_ID })
  accountId!: string;

  @Matches(BANK_ID, BANK_ID_FORM)
  @Field(() => ID, {
    description: 'The customer who holds the card, such as `0000d001-0000-4000-8000-000000000000`.',
  })
  cardHolderId!: string;

  @Matches(BANK_ID, BANK_ID_FORM)
  @Field(() => ID, {
    description: "The bank's name of the product, such as `debit-classic`.",
  })
  cardProductId!: string;

  @Matches(/^\d{4,12}$/, '4 to 12 digits')
  @Field(() => String, {
    nullable: true,
    description: 'The PIN, 4 to 12 digits (ISO 9564-1), such as `4821`.',
  })
  pin?: string | null;

  @NewMetadata()
  metadata?: MetadataChange | null;
}

@Input('A new card.')
export class CardInput extends CardDetails {
  @Field(() => CardType, { description: 'The kind of the card: physical or virtual.' })
  type!: CardType;

  @Field(() => CardStatus, { nullable: true, description: 'The status of the card; INACTIVE when absent.' })
  status?: CardStatus | null;

  @Matches(BOOKED, 'an instant from 1850 to 2099')
  @Field(() => DateTimeISO, {
    nullable: true,
    description: 'The time at which the card was created; now when absent.',
  })
  createdAt?: string | null;
}

/** A new card as its service takes it, with the contract's name of its time. */
export type NewCard = Omit<CardInput, 'createdAt'> & { readonly created?: string | null };

/** A new card of GraphQL. */
export function newCardOf({ createdAt, ...card }: CardInput): NewCard {
  return { ...card, created: createdAt ?? null };
}

// The contract writes these words with one capital letter. Their values are those of GraphQL, so that a retry may come
// over the other API.
const RestCardType = { Physical: CardType.PHYSICAL, Virtual: CardType.VIRTUAL } as const;
registerEnumType(RestCardType, { name: 'RestCardType' });
const RestCardStatus = {
  Inactive: CardStatus.INACTIVE,
  Active: CardStatus.ACTIVE,
  Frozen: CardStatus.FROZEN,
  Lost: CardStatus.LOST,
  Stolen: CardStatus.STOLEN,
  Closed: CardStatus.CLOSED,
} as const;
registerEnumType(RestCardStatus, { name: 'RestCardStatus' });

@Input('A new card, as REST names its values.')
export class CardRecord extends CardDetails {
  @Field(() => RestCardType, { description: 'The kind of the card: physical or virtual.' })
  type!: CardType;

  @Field(() => RestCardStatus, { nullable: true, description: 'The first status of the card; Inactive when absent.' })
  status?: CardStatus | null;

  @Matches(/^(true|false)$/, '"true" or "false"')
  @Field(() => String, { nullable: true, description: 'Ignored: it is true if a PIN is given.' })
  pinIsSet?: string | null;

  @Matches(BOOKED, 'an instant from 1850 to 2099')
  @Field(() => DateTimeISO, {
    nullable: true,
    description: 'The time at which the card was created; now when absent.',
  })
  created?: string | null;
}

@Input('A filter of the cards of an account, which must match every field.')
export class CardFilter {
  @Size(1, 6)
  @Field(() => [CardStatus], { nullable: true, description: 'The statuses to list, 1 to 6.' })
  statuses?: CardStatus[] | null;

  @ListedMetadata()
  metadata?: MetadataChange | null;
}

@Input('The id of the account.')
export class CardQuery {
  @Matches(BANK_ID, BANK_ID_FORM)
  @Field(() => ID, { description: ACCOUNT_ID })
  accountId!: string;
}

@Input('The card that is created.')
export class CreateCardInput {
  @Field(() => CardInput, { description: 'The new card.' })
  card!: CardInput;

  @DryRun()
  dryRun?: boolean;
}

/** The inputs of the steps of a card's life. */
@Input('The card that takes a step of its life.')
export class CardStepInput extends namesRecord('Card', {
  accountId: { description: ACCOUNT_ID },
  cardId: { description: 'The id of the card, such as `card-17`.' },
}) {
  @ExpectedVersion()
  expectedVersion?: number | null;

  @DryRun()
  dryRun?: boolean;
}

@Input('The card that is activated.')
export class ActivateCardInput extends CardStepInput {}

@Input('The card that is frozen.')
export class FreezeCardInput extends CardStepInput {}

@Input('The card that is no longer frozen then.')
export class UnfreezeCardInput extends CardStepInput {}

@Input('The card that is closed.')
export class CloseCardInput extends CardStepInput {}

@Input('The card that is lost or stolen.')
export class ReportCardInput extends CardStepInput {
  @Field(() => CardLoss, { description: 'The loss, which becomes the status of the card.' })
  loss!: CardLoss;
}
