import type { Opt } from '@mikro-orm/core';
import { Entity, Index, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { ACCOUNT_ID, OfAccount } from '../account/account.entity.js';
import { UPDATED_AT, VERSION } from '../../platform/graphql/expected-version.js';
import { Node, NodeKey } from '../../platform/graphql/node.js';
import { Renamed } from '../../platform/graphql/renamed.js';
import { Currency, DateTimeISO } from '../../platform/scalars/scalars.js';
import { DataClasses } from '../../platform/repository/data-classes.js';
import { MetadataColumn } from '../../platform/repository/metadata-column.js';
import type { Metadata } from '../../shared/metadata.js';
import { fieldNamesOf } from '../../platform/repository/fields.js';
import { SetByDatabase, Sealed } from '../../platform/repository/declarations.js';
import { PIN_SUFFIX, cardNumberDigest } from './card.vault.js';

export const CardType = { PHYSICAL: 'PHYSICAL', VIRTUAL: 'VIRTUAL' } as const;
export type CardType = keyof typeof CardType;
registerEnumType(CardType, {
  name: 'CardType',
  description: 'The kind of the card: physical or virtual.',
  valuesConfig: {
    PHYSICAL: { description: 'A plastic card.' },
    VIRTUAL: { description: 'A number without plastic, for payments online.' },
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
  description: 'The status of a card. LOST, STOLEN and CLOSED are final.',
  valuesConfig: {
    INACTIVE: {
      description: 'The card is not yet in use: `activateCard` puts it into use.',
    },
    ACTIVE: { description: 'The card can be used for payments.' },
    FROZEN: { description: 'The card cannot be used until `unfreezeCard`.' },
    LOST: { description: 'The card was reported missing.' },
    STOLEN: { description: 'The card was reported as taken by somebody.' },
    CLOSED: { description: 'The card is out of use for good.' },
  },
});

/** A card in one of these states never changes again. */
export const FINAL_STATUSES: ReadonlySet<CardStatus> = new Set(['LOST', 'STOLEN', 'CLOSED']);

export const CardLoss = { LOST: 'LOST', STOLEN: 'STOLEN' } as const;
export type CardLoss = keyof typeof CardLoss;
registerEnumType(CardLoss, {
  name: 'CardLoss',
  description: 'The reason for the report of a missing card.',
  valuesConfig: {
    LOST: { description: 'The holder does not know where it is.' },
    STOLEN: { description: 'Another person took the card.' },
  },
});

/** A card of an account. Of its number only the last four digits are in the clear; a CVV is never kept. */
@Entity({ tableName: 'card' })
@DataClasses<Card>({
  kept: 'as long as the account; its number and PIN until the holder is erased',
  internal: ['type', 'currency', 'cardProductId', 'pinIsSet', 'status', 'created', 'version', 'updatedAt'],
  identifier: ['accountId', 'cardId', 'cardHolderId', 'metadata'],
  card: {
    number: 'masked: last four digits',
    last4: 'masked: last four digits',
    expiration: 'in the clear: PCI DSS 3.5.1 is about the number, and support reads it',
    sealedNumber: 'sealed',
    numberDigest: 'hashed: keyed, with the program, to find equal numbers',
    pinVerification: 'sealed',
  },
})
@Index({ properties: ['last4', 'accountId', 'cardId'] })
@Index({ properties: ['cardHolderId'] })
@NodeKey('accountId', 'cardId')
@ObjectType({
  description: 'A payment card of an account.',
  implements: Node,
  simpleResolvers: true,
})
export class Card {
  @OfAccount()
  @Field(() => ID, { description: ACCOUNT_ID })
  accountId!: string;

  @PrimaryKey({ type: 'text' })
  @Field(() => ID, { description: 'The id within its account, such as `card-17`.' })
  cardId!: string;

  @Property({ type: 'text' })
  @Field(() => CardType, { description: 'The kind of the card: physical or virtual.' })
  type!: CardType;

  /** Masked; the number itself is in the vault's keeping. */
  @Property({ type: 'text' })
  @Field(() => String, {
    description: 'The card number, masked except for its last four digits, such as `************4242`.',
  })
  number!: string;

  @Property({ type: 'text' })
  @Field(() => String, { description: 'The last digits of `number`, such as `4242`.' })
  last4!: string;

  @Property({ type: 'text' })
  @Field(() => Currency, { description: 'The currency in which the card pays.' })
  currency!: string;

  @Property({ type: 'text' })
  @Field(() => String, {
    description: 'The last month of use, MMYY, such as `0929` for September 2029.',
  })
  expiration!: string;

  @Property({ type: 'text' })
  @Field(() => ID, {
    description: 'The customer who holds the card, such as `0000d001-0000-4000-8000-000000000000`.',
  })
  cardHolderId!: string;

  @Property({ type: 'text' })
  @Field(() => ID, { description: "The bank's name of the product, such as `debit-classic`." })
  cardProductId!: string;

  @Property({ type: 'boolean' })
  @Field(() => Boolean, { description: 'True if the card has a PIN.' })
  pinIsSet!: boolean;

  @Property({ type: 'text' })
  @Field(() => CardStatus, { description: 'The status of the card, which tells if it can be used.' })
  status!: CardStatus;

  @Property({ type: 'datetime', length: 3 })
  @Renamed('createdAt')
  @Field(() => DateTimeISO, { description: 'The time at which the card was created.' })
  created!: Date;

  @MetadataColumn()
  metadata!: Opt<Metadata>;

  @SetByDatabase()
  @Property({ type: 'integer', default: 1 })
  @Field(() => Int, { description: VERSION })
  version!: Opt<number>;

  @Property({ type: 'datetime', length: 3, defaultRaw: 'now()' })
  @Field(() => DateTimeISO, { description: UPDATED_AT })
  updatedAt!: Opt<Date>;

  /** The number, sealed by the vault. */
  @Sealed({
    ring: 'cards',
    digests: { numberDigest: cardNumberDigest },
    resealApart: 'SELECT r.* FROM reseal_card($1::text, $2::text, $3::bytea, $4::bytea, $5::bytea) r',
  })
  @Property({ type: 'blob' })
  sealedNumber!: Buffer;

  /**
   * Digest of the program and the number: no two cards of a program have the same. It is given keyed, and the database
   * adds the program.
   */
  @Unique()
  @Property({ type: 'blob' })
  numberDigest!: Buffer;

  /** `PinVerification`, sealed by the vault: it tells whether a PIN is right. */
  @Sealed({ ring: 'cards', suffix: PIN_SUFFIX })
  @Property({ type: 'blob', nullable: true })
  pinVerification!: Buffer | null;
}

/** A card as it is shown. */
export type CardView = Readonly<
  Omit<Card, 'metadata' | 'version' | 'created' | 'updatedAt' | 'sealedNumber' | 'numberDigest' | 'pinVerification'> & {
    metadata: Metadata;
    version: number;
    created: string;
    updatedAt: string;
  }
>;

/** The fields of a card as it is shown, in their order. */
export const CARD_FIELDS = fieldNamesOf(Card);
