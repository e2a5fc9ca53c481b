import type { Opt } from '@mikro-orm/core';
import { Check, Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, Float, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DataClasses } from '../../platform/repository/data-classes.js';
import { fieldNamesOf, pick } from '../../platform/repository/fields.js';
import { Lazy, Sealed } from '../../platform/repository/declarations.js';
import { VERSION } from '../../platform/graphql/expected-version.js';
import { Node, NodeKey } from '../../platform/graphql/node.js';
import { DateTimeISO } from '../../platform/scalars/scalars.js';
import { OperatorGroup, ProgramApprovals } from './program-rules.entity.js';
import { ProgramTransfers } from './program-transfers.entity.js';

export const StatementsWithoutActivity = {
  WITH_BALANCE: 'WITH_BALANCE',
  QUARTERLY: 'QUARTERLY',
  ALWAYS: 'ALWAYS',
} as const;
export type StatementsWithoutActivity = keyof typeof StatementsWithoutActivity;
registerEnumType(StatementsWithoutActivity, {
  name: 'StatementsWithoutActivity',
  description: 'The accounts that get a statement of a month in which they had no transaction.',
  valuesConfig: {
    WITH_BALANCE: { description: 'The accounts with a balance other than zero.' },
    QUARTERLY: {
      description:
        'The accounts with a balance other than zero, for March, June, September and December alone (12 CFR 1005.9(b)).',
    },
    ALWAYS: {
      description: 'All accounts that were opened by then and are not closed, also those that never had a transaction.',
    },
  },
});

const ADDRESS_LINES = 'The lines of the address as on an envelope, at most 6.';
const TELEPHONE = 'The telephone number as it is printed, such as `+1 503 555 0100`.';

@ObjectType({ description: 'The letterhead of the statements of a program.', simpleResolvers: true })
export class Letterhead {
  @Field(() => String, { description: 'The issuer, such as `Harborlight Bank`.' })
  name!: string;

  @Field(() => [String], { description: ADDRESS_LINES })
  addressLines!: readonly string[];

  @Field(() => String, { nullable: true, description: TELEPHONE })
  telephone!: string | null;
}

@ObjectType({ description: 'The payer of the interest on Forms 1099-INT.', simpleResolvers: true })
export class ProgramPayer {
  @Field(() => String, { description: 'The name of the payer, such as `Harborlight Bank, N.A.`.' })
  name!: string;

  @Field(() => [String], { description: ADDRESS_LINES })
  addressLines!: readonly string[];

  @Field(() => String, { nullable: true, description: TELEPHONE })
  telephone!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The employer identification number, masked, such as `******6789`.',
  })
  taxId!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The state for box 15 of Forms 1099-INT, such as `OR`.',
  })
  state?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The number of the payer in that state, for box 16, such as `1234567-8`.',
  })
  stateTaxId?: string | null;
}

@ObjectType({
  description: 'The contact for errors in electronic transfers (12 CFR 1005.8(b)).',
  simpleResolvers: true,
})
export class ErrorResolutionContact {
  @Field(() => String, { description: 'The telephone number, such as `+1 503 555 0111`.' })
  telephone!: string;

  @Field(() => String, {
    nullable: true,
    description: 'The e-mail address, such as `care@bank.example`.',
  })
  email!: string | null;

  @Field(() => [String], { description: 'The postal address, 1 to 6 lines.' })
  addressLines!: readonly string[];
}

@ObjectType({
  description: 'The logo: a PNG, or outlines in one colour.',
  simpleResolvers: true,
})
export class ProgramLogo {
  @Field(() => String, { nullable: true, description: 'The PNG in base64; null for outlines.' })
  png!: string | null;

  @Field(() => String, { nullable: true, description: 'Path data of the outlines (SVG 2, 9.3); null for a PNG.' })
  svgPath!: string | null;

  @Field(() => [Float], {
    nullable: true,
    description: 'Left, top, width and height of what is shown; null for a PNG.',
  })
  viewBox!: readonly number[] | null;

  @Field(() => String, {
    nullable: true,
    description: 'The colour of the outlines, such as `#1f4e5f`; null for the colour of the text.',
  })
  color!: string | null;
}

/** The sealed part of a program. */
export interface ProgramSecrets {
  /** The whole tax id of the payer: `12-3456789`. */
  readonly payerTaxId: string | null;
}

/**
 * A tenant of the gateway as the issuer of documents. What is `json` is shown with its fields in their order, unlike
 * `jsonb`.
 */
@Entity({ tableName: 'program' })
@DataClasses<Program>({
  kept: 'without end',
  public: ['name', 'letterhead', 'payer', 'errorResolution', 'logo'],
  internal: [
    'approvals',
    'transfers',
    'checkFunds',
    'exactSearch',
    'statementsWithoutActivity',
    'operatorGroups',
    'retentionYears',
    'version',
    'createdAt',
    'updatedAt',
  ],
  identifier: ['programId', 'clients'],
  personal: { sealed: 'sealed' },
})
@Check({ name: 'program_retention_years', expression: 'retention_years between 1 and 100' })
@NodeKey('programId')
@ObjectType({
  description: 'A tenant: its name, and what its documents say of the issuer.',
  implements: Node,
  simpleResolvers: true,
})
export class Program {
  @PrimaryKey({ type: 'text' })
  @Field(() => ID, { description: 'The name of the program in access tokens, such as `demo`.' })
  programId!: string;

  @Property({ type: 'text' })
  @Field(() => String, { description: 'The name of the program for its operators, such as `Harborlight`.' })
  name!: string;

  @Property({ type: 'json', columnType: 'json', nullable: true })
  @Field(() => Letterhead, {
    nullable: true,
    description: 'The letterhead of statements.',
  })
  letterhead!: Letterhead | null;

  @Property({ type: 'json', columnType: 'json', nullable: true })
  @Field(() => ProgramPayer, {
    nullable: true,
    description: 'The payer of the interest of the accounts.',
  })
  payer!: ProgramPayer | null;

  @Property({ type: 'json', columnType: 'json', nullable: true })
  @Field(() => ErrorResolutionContact, {
    nullable: true,
    description: 'The contact for customers who find errors.',
  })
  errorResolution!: ErrorResolutionContact | null;

  @Lazy()
  @Property({ type: 'json', columnType: 'json', nullable: true })
  @Field(() => ProgramLogo, {
    nullable: true,
    description: 'The picture at the head of documents.',
  })
  logo!: ProgramLogo | null;

  @Property({ type: 'json', columnType: 'json', nullable: true })
  @Field(() => ProgramApprovals, {
    nullable: true,
    description: 'The requests that wait for another person; null where none does.',
  })
  approvals!: ProgramApprovals | null;

  @Property({ type: 'json', columnType: 'json', nullable: true })
  @Field(() => ProgramTransfers, {
    nullable: true,
    description: 'The rules of transfers; null for no limits, between own accounts.',
  })
  transfers!: ProgramTransfers | null;

  @Property({ type: 'array' })
  @Field(() => [String], {
    description: 'The client ids of its systems, such as `harborlight-core`.',
  })
  clients!: readonly string[];

  @Property({ type: 'boolean', default: false })
  @Field(() => Boolean, {
    description: 'True if holds beyond the available amount are refused.',
  })
  checkFunds!: Opt<boolean>;

  @Property({ type: 'boolean', default: false })
  @Field(() => Boolean, {
    description: 'True if searches find no person by the beginning of a last name.',
  })
  exactSearch!: Opt<boolean>;

  @Property({ type: 'text', default: 'WITH_BALANCE' })
  @Field(() => StatementsWithoutActivity, {
    description: 'The accounts that get a statement of a month in which they had no transaction.',
  })
  statementsWithoutActivity!: Opt<StatementsWithoutActivity>;

  @Property({ type: 'json', columnType: 'json', default: '[]' })
  @Field(() => [OperatorGroup], {
    description: 'The groups of the identity provider, with what they may do at the console.',
  })
  operatorGroups!: readonly OperatorGroup[];

  @Property({ type: 'integer', nullable: true })
  @Field(() => Int, {
    nullable: true,
    description: 'The number of years after which a closed account is deleted, 1 to 100; null for never.',
  })
  retentionYears!: number | null;

  /** `ProgramSecrets`: the tax id of the payer. */
  @Sealed({ as: 'secrets' })
  @Property({ type: 'blob' })
  sealed!: Buffer;

  @Property({ type: 'integer', default: 1 })
  @Field(() => Int, { description: VERSION })
  version!: Opt<number>;

  @Property({ type: 'datetime', length: 3 })
  @Field(() => DateTimeISO, { description: 'The time at which the record was made.' })
  createdAt!: Date;

  @Property({ type: 'datetime', length: 3 })
  @Field(() => DateTimeISO, { description: 'The time at which a command last changed the record.' })
  updatedAt!: Date;
}

/** A program as it is shown. */
export type ProgramView = Readonly<Omit<Program, 'sealed' | 'createdAt' | 'updatedAt'>> & {
  readonly createdAt: string;
  readonly updatedAt: string;
};

/** A program as it is read. What is sealed is opened when it is looked at. */
export type ProgramRead = ProgramView & { readonly secrets: ProgramSecrets };

/** The fields of a program as it is shown, in their order. */
const PROGRAM_FIELDS = fieldNamesOf(Program);

/** A program as plain data, without its secrets. */
export function shown(program: Pick<Program, 'programId' | 'name'>): ProgramView {
  return pick<ProgramView>(program, PROGRAM_FIELDS);
}
