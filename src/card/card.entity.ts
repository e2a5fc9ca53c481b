import { Entity, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import { OfAccount } from '../account/account.entity.js';
import { Currency, DateTimeISO } from '../platform/graphql/scalars.js';

export const CardType = { PHYSICAL: 'PHYSICAL', VIRTUAL: 'VIRTUAL' } as const;
export type CardType = keyof typeof CardType;
registerEnumType(CardType, {
  name: 'CardType',
  description: 'What a card is made of.',
  valuesConfig: {
    PHYSICAL: { description: 'A card of plastic. REST: Physical.' },
    VIRTUAL: { description: 'A number only. REST: Virtual.' },
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
  description: 'Whether a card can be used. Lost, stolen and closed are final.',
  valuesConfig: {
    INACTIVE: { description: 'Made, and not yet in use. REST: Inactive.' },
    ACTIVE: { description: 'In use. REST: Active.' },
    FROZEN: { description: 'Out of use for a while. REST: Frozen.' },
    LOST: { description: 'Reported lost. REST: Lost.' },
    STOLEN: { description: 'Reported stolen. REST: Stolen.' },
    CLOSED: { description: 'Out of use for good. REST: Closed.' },
  },
});

export const CardLoss = { LOST: 'LOST', STOLEN: 'STOLEN' } as const;
export type CardLoss = keyof typeof CardLoss;
registerEnumType(CardLoss, {
  name: 'CardLoss',
  description: 'How a card was lost.',
  valuesConfig: { LOST: { description: 'It was lost.' }, STOLEN: { description: 'It was stolen.' } },
});

/** A card of an account. Of its number only the last four digits are in the clear; a CVV is never kept. */
@Entity({ tableName: 'card' })
@ObjectType({ description: 'A card of an account.', simpleResolvers: true })
export class Card {
  @OfAccount()
  @Field(() => ID, { description: 'The account that the card belongs to.' })
  accountId!: string;

  @PrimaryKey({ type: 'text' })
  @Field(() => ID, { description: 'Identifies the card in its account.' })
  cardId!: string;

  @Property({ type: 'text' })
  @Field(() => CardType, { description: 'What the card is made of.' })
  type!: CardType;

  /** Masked; the number itself is in the vault's keeping. */
  @Property({ type: 'text' })
  @Field(() => String, {
    description: 'Masked: only the last four digits are readable, for example "************4242".',
  })
  number!: string;

  @Property({ type: 'text' })
  @Field(() => String, { description: 'The last four digits of the number.' })
  last4!: string;

  @Property({ type: 'text' })
  @Field(() => Currency, { description: 'Currency of the card (ISO 4217).' })
  currency!: string;

  @Property({ type: 'text' })
  @Field(() => String, { description: 'Month and year of expiry, MMYY.' })
  expiration!: string;

  @Property({ type: 'text' })
  @Field(() => ID, { description: 'The customer who carries the card.' })
  cardHolderId!: string;

  @Property({ type: 'text' })
  @Field(() => ID, { description: 'The product that the card is of.' })
  cardProductId!: string;

  @Property({ type: 'boolean' })
  @Field(() => Boolean, { description: 'True when a PIN was set.' })
  pinIsSet!: boolean;

  @Property({ type: 'text' })
  @Field(() => CardStatus, { description: 'Whether the card can be used.' })
  status!: CardStatus;

  @Property({ type: 'datetime', length: 3 })
  @Field(() => DateTimeISO, { description: 'When the card was made.' })
  created!: Date;

  /** The number, sealed by the vault. */
  @Property({ type: 'blob' }) sealedNumber!: Buffer;

  /** Keyed digest of the number: no two cards of the bank have the same. */
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
