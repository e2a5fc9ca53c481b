import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, Float, ID, ObjectType, registerEnumType } from 'type-graphql';
import { fieldNamesOf, pick } from '../platform/repository/fields.js';
import { Lazy, Sealed } from '../platform/repository/declarations.js';
import { Node, NodeKey } from '../platform/graphql/node.js';
import { Currency, DateTimeISO, Decimal } from '../platform/scalars/scalars.js';
import { ProgramTransfers } from './program-transfers.entity.js';
import type { ApprovalRules, CurrencyAmount } from '../shared/approval.js';

export const StatementsWithoutActivity = {
  WITH_BALANCE: 'WITH_BALANCE',
  QUARTERLY: 'QUARTERLY',
  ALWAYS: 'ALWAYS',
} as const;
export type StatementsWithoutActivity = keyof typeof StatementsWithoutActivity;
registerEnumType(StatementsWithoutActivity, {
  name: 'StatementsWithoutActivity',
  description: 'Which accounts without a transaction in a month get a statement of it.',
  valuesConfig: {
    WITH_BALANCE: { description: 'Those with a balance other than zero.' },
    QUARTERLY: {
      description:
        'Those with a balance other than zero, of March, June, September and December alone (12 CFR 1005.9(b)).',
    },
    ALWAYS: {
      description: 'All that were opened by then and are not closed, also those that never had a transaction.',
    },
  },
});

const ADDRESS_LINES = 'The lines of the postal address as on an envelope, at most 6; empty where none is on record.';
const TELEPHONE = 'The telephone number as it is printed, such as `+1 503 555 0100`; null where none is on record.';

@ObjectType({ description: 'What stands at the head of the statements of a program.', simpleResolvers: true })
export class Letterhead {
  @Field(() => String, { description: 'The name of the issuer, such as `Harborlight Bank`.' })
  name!: string;

  @Field(() => [String], { description: ADDRESS_LINES })
  addressLines!: readonly string[];

  @Field(() => String, { nullable: true, description: TELEPHONE })
  telephone!: string | null;
}

@ObjectType({ description: 'Who pays the interest, as Forms 1099-INT name the payer.', simpleResolvers: true })
export class ProgramPayer {
  @Field(() => String, { description: 'The name of the payer, such as `Harborlight Bank, N.A.`.' })
  name!: string;

  @Field(() => [String], { description: ADDRESS_LINES })
  addressLines!: readonly string[];

  @Field(() => String, { nullable: true, description: TELEPHONE })
  telephone!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'The employer identification number, masked except for the last four characters, such as `******6789`; null where none is on record.',
  })
  taxId!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The state that box 15 of Forms 1099-INT names, such as `OR`; null if the payer reports to none.',
  })
  state?: string | null;

  @Field(() => String, {
    nullable: true,
    description: "The payer's number in that state, for box 16, such as `1234567-8`; null where none is on record.",
  })
  stateTaxId?: string | null;
}

@ObjectType({
  description: 'Whom customers tell about errors in electronic transfers (12 CFR 1005.8(b)).',
  simpleResolvers: true,
})
export class ErrorResolutionContact {
  @Field(() => String, { description: 'The telephone number for errors and questions, such as `+1 503 555 0111`.' })
  telephone!: string;

  @Field(() => String, {
    nullable: true,
    description: 'The e-mail address for errors and questions, such as `care@bank.example`; null if there is none.',
  })
  email!: string | null;

  @Field(() => [String], { description: 'The lines of the postal address to write to, 1 to 6.' })
  addressLines!: readonly string[];
}

@ObjectType({
  description: 'A picture at the head of documents: a PNG, or outlines in one colour.',
  simpleResolvers: true,
})
export class ProgramLogo {
  @Field(() => String, { nullable: true, description: 'A PNG in base64; null for outlines.' })
  png!: string | null;

  @Field(() => String, { nullable: true, description: 'The path data of the outlines (SVG 2, 9.3); null for a PNG.' })
  svgPath!: string | null;

  @Field(() => [Float], {
    nullable: true,
    description: 'The part of the plane that is shown: left, top, width and height; null for a PNG.',
  })
  viewBox!: readonly number[] | null;

  @Field(() => String, {
    nullable: true,
    description: 'The colour of the outlines, such as `#1f4e5f`; null for a PNG, and for the colour of the text.',
  })
  color!: string | null;
}

@ObjectType({ description: 'An amount of one currency, above which something waits.', simpleResolvers: true })
export class CurrencyThreshold implements CurrencyAmount {
  @Field(() => Currency, { description: 'The currency, such as `USD`.' })
  currency!: string;

  @Field(() => Decimal, { description: 'The amount, such as `10000.00`; `0` means all.' })
  amount!: string;
}

@ObjectType({
  description: 'Which requests of a program wait until another person approves them.',
  simpleResolvers: true,
})
export class ProgramApprovals implements ApprovalRules {
  @Field(() => Boolean, { description: 'Whether closing an account waits.' })
  closingAccounts!: boolean;

  @Field(() => Decimal, {
    nullable: true,
    description:
      "Reversals of transactions above this amount wait, in units of the account's currency, such as `10000.00`; `0` means all. Null if no reversal waits.",
  })
  reversalsAbove!: string | null;

  @Field(() => [String], {
    nullable: true,
    description:
      'The clients that are systems of the bank, such as `card-network`: what they post in the other direction of a transaction does not wait. Null in a record that was last set before there was this list.',
  })
  postingClients?: readonly string[];

  @Field(() => [CurrencyThreshold], {
    nullable: true,
    description:
      'Transfers above these amounts wait, one amount for each currency; those of other currencies never wait. Null in a record that was last set before there was this list.',
  })
  transfersAbove?: readonly CurrencyThreshold[];

  @Field(() => Boolean, { description: 'Whether adding and removing owners waits.' })
  changingOwners!: boolean;

  @Field(() => Boolean, {
    description: 'Whether creating, changing and deleting webhook endpoints waits, and rotating their secrets.',
  })
  changingWebhookEndpoints!: boolean;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether setting limits of single accounts waits. Null in a record that was last set before there was this rule.',
  })
  changingTransferLimits?: boolean;
}

/** The sealed part of a program. */
export interface ProgramSecrets {
  /** Of the payer, whole: `12-3456789`. */
  readonly payerTaxId: string | null;
}

/**
 * A tenant of the gateway as the issuer of documents. What is `json` is shown with its fields in their order, unlike
 * `jsonb`.
 */
@Entity({ tableName: 'program' })
@NodeKey('programId')
@ObjectType({
  description: 'A tenant of the gateway: its name, and what documents say about who issues them.',
  implements: Node,
  simpleResolvers: true,
})
export class Program {
  @PrimaryKey({ type: 'text' })
  @Field(() => ID, { description: 'The id of the program, as access tokens name it, such as `demo`.' })
  programId!: string;

  @Property({ type: 'text' })
  @Field(() => String, { description: 'The name of the program for its operators, such as `Harborlight`.' })
  name!: string;

  @Property({ type: 'json', columnType: 'json', nullable: true })
  @Field(() => Letterhead, {
    nullable: true,
    description: 'What stands at the head of statements; null where none is on record.',
  })
  letterhead!: Letterhead | null;

  @Property({ type: 'json', columnType: 'json', nullable: true })
  @Field(() => ProgramPayer, {
    nullable: true,
    description: 'Who pays the interest of the accounts; null where nobody is on record.',
  })
  payer!: ProgramPayer | null;

  @Property({ type: 'json', columnType: 'json', nullable: true })
  @Field(() => ErrorResolutionContact, {
    nullable: true,
    description: 'Whom customers tell about errors; null where nobody is on record.',
  })
  errorResolution!: ErrorResolutionContact | null;

  @Lazy()
  @Property({ type: 'json', columnType: 'json', nullable: true })
  @Field(() => ProgramLogo, {
    nullable: true,
    description: 'The picture at the head of documents; null if there is none.',
  })
  logo!: ProgramLogo | null;

  @Property({ type: 'json', columnType: 'json', nullable: true })
  @Field(() => ProgramApprovals, {
    nullable: true,
    description: 'Which requests wait until another person approves them; null where none does.',
  })
  approvals!: ProgramApprovals | null;

  @Property({ type: 'json', columnType: 'json', nullable: true })
  @Field(() => ProgramTransfers, {
    nullable: true,
    description:
      'What the program allows of transfers; null where nothing is on record: no limits, and customers move money between accounts of their own.',
  })
  transfers!: ProgramTransfers | null;

  @Property({ type: 'array' })
  @Field(() => [String], {
    description: 'The client ids of the systems that belong to the program, such as `harborlight-core`.',
  })
  clients!: readonly string[];

  @Property({ type: 'boolean', default: false })
  @Field(() => Boolean, {
    description:
      'True if a hold is refused with `insufficient_funds` beyond the available balance and the overdraft limit.',
  })
  checkFunds!: Opt<boolean>;

  @Property({ type: 'text', default: 'WITH_BALANCE' })
  @Field(() => StatementsWithoutActivity, {
    description: 'Which accounts without a transaction in a month get a statement of it.',
  })
  statementsWithoutActivity!: Opt<StatementsWithoutActivity>;

  /** `ProgramSecrets`. */
  @Sealed({ as: 'secrets' })
  @Property({ type: 'blob' })
  sealed!: Buffer;

  /** One more after each change. */
  @Property({ type: 'integer', default: 1 }) version!: Opt<number>;

  @Property({ type: 'datetime', length: 3 })
  @Field(() => DateTimeISO, { description: 'When the record was made, such as `2026-03-31T18:05:00.000Z`.' })
  createdAt!: Date;

  @Property({ type: 'datetime', length: 3 })
  @Field(() => DateTimeISO, { description: 'When the record was last changed, such as `2026-03-31T18:05:00.000Z`.' })
  updatedAt!: Date;
}

/** A program as it is shown. */
export type ProgramView = Readonly<Omit<Program, 'sealed' | 'version' | 'createdAt' | 'updatedAt'>> & {
  readonly createdAt: string;
  readonly updatedAt: string;
};

/** A program as it is read. What is sealed is opened when it is looked at. */
export type ProgramRead = ProgramView & Readonly<Pick<Program, 'version'>> & { readonly secrets: ProgramSecrets };

/** The fields of a program as it is shown, in their order. */
export const PROGRAM_FIELDS = fieldNamesOf(Program);

/** A program as plain data, without its secrets. */
export function shown(program: Pick<Program, 'programId' | 'name'>): ProgramView {
  return pick<ProgramView>(program, PROGRAM_FIELDS);
}
