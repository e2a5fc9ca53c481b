import { Entity, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import { ACCOUNT_ID, OfAccount } from '../account/account.entity.js';
import { Currency, DateTimeISO } from '../platform/graphql/scalars.js';

export const CardType = { PHYSICAL: 'PHYSICAL', VIRTUAL: 'VIRTUAL' } as const;
export type CardType = keyof typeof CardType;
registerEnumType(CardType, {
  name: 'CardType',
  description: 'Whether there is a card to hold.',
  valuesConfig: {
    PHYSICAL: { description: 'A card of plastic, to be held and put into machines. REST: Physical.' },
    VIRTUAL: { description: 'A number alone, to pay with online. REST: Virtual.' },
  },
});

export const CardStatus = {
  INACTIVE: 'INACTIVE',
  ACTIVE: 'ACTIVE',
  FROZEN: 'FROZEN',
  LOST: 'LOST',
  STOLEN: 'STOLEN',
  CLOSED: 'CLOSED',
} as const;
export type CardStatus = keyof typeof CardStatus;
registerEnumType(CardStatus, {
  name: 'CardStatus',
  description: 'Whether a card can be used. LOST, STOLEN and CLOSED are final.',
  valuesConfig: {
    INACTIVE: { description: 'Made, and not yet in use: `activateCard`. REST: Inactive.' },
    ACTIVE: { description: 'It can be paid with. REST: Active.' },
    FROZEN: { description: 'Out of use until `unfreezeCard`. REST: Frozen.' },
    LOST: { description: 'Its holder reported that it is lost; final. REST: Lost.' },
    STOLEN: { description: 'Its holder reported that it was stolen; final. REST: Stolen.' },
    CLOSED: { description: 'Out of use for good; final. REST: Closed.' },
  },
});

export const CardLoss = { LOST: 'LOST', STOLEN: 'STOLEN' } as const;
export type CardLoss = keyof typeof CardLoss;
registerEnumType(CardLoss, {
  name: 'CardLoss',
  description: 'How a holder came to be without the card.',
  valuesConfig: {
    LOST: { description: 'Nobody knows where it is.' },
    STOLEN: { description: 'Somebody took it.' },
  },
});

/** A card of an account. Of its number only the last four digits are in the clear; a CVV is never kept. */
@Entity({ tableName: 'card' })
@ObjectType({
  description: 'A payment card that takes its money from an account. Its number is sealed, and a CVV is never kept.',
  simpleResolvers: true,
})
export class Card {
  @OfAccount()
  @Field(() => ID, { description: ACCOUNT_ID })
  accountId!: string;

  @PrimaryKey({ type: 'text' })
  @Field(() => ID, { description: 'Names the card within its account, such as `card-17`.' })
  cardId!: string;

  @Property({ type: 'text' })
  @Field(() => CardType, { description: 'Whether there is a card to hold.' })
  type!: CardType;

  /** Masked; the number itself is in the vault's keeping. */
  @Property({ type: 'text' })
  @Field(() => String, {
    description: 'The card number, always masked but for its last four digits, such as `************4242`.',
  })
  number!: string;

  @Property({ type: 'text' })
  @Field(() => String, { description: 'The last four digits of the number, such as `4242`.' })
  last4!: string;

  @Property({ type: 'text' })
  @Field(() => Currency, { description: 'The currency in which the card pays, such as `USD`.' })
  currency!: string;

  @Property({ type: 'text' })
  @Field(() => String, {
    description: 'The last month in which it can be used, MMYY, such as `0929` for September 2029.',
  })
  expiration!: string;

  @Property({ type: 'text' })
  @Field(() => ID, {
    description:
      'The id of the customer who carries it, such as `0000d001-0000-4000-8000-000000000000`: an owner or an authorised user.',
  })
  cardHolderId!: string;

  @Property({ type: 'text' })
  @Field(() => ID, { description: "The bank's own name of the card product, such as `debit-classic`." })
  cardProductId!: string;

  @Property({ type: 'boolean' })
  @Field(() => Boolean, { description: 'True when a PIN was given. The PIN itself is not kept.' })
  pinIsSet!: boolean;

  @Property({ type: 'text' })
  @Field(() => CardStatus, { description: 'Whether it can be paid with.' })
  status!: CardStatus;

  @Property({ type: 'datetime', length: 3 })
  @Field(() => DateTimeISO, { description: 'When the card was made, such as `2026-03-31T18:05:00.000Z`.' })
  created!: Date;

  /** The number, sealed by the vault. */
  @Property({ type: 'blob' }) sealedNumber!: Buffer;

  /** Digest of the program and the number: no two cards of a program have the same. It is given keyed, and the database adds the program. */
  @Unique()
  @Property({ type: 'blob' })
  numberDigest!: Buffer;

  /** `PinVerification`, sealed: it tells whether a PIN is right. */
  @Property({ type: 'blob', nullable: true }) pinVerification!: Buffer | null;
}

/** A card as it is shown. */
export type CardView = Readonly<
  Omit<Card, 'created' | 'sealedNumber' | 'numberDigest' | 'pinVerification'> & { created: string }
>;
