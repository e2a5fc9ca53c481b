import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { ImportName } from './import.names.js';
import { Renamed } from '../../platform/graphql/renamed.js';

/** The kinds of records that can be imported, as GraphQL spells them. */
export const ImportKind = {
  PROGRAMS: 'PROGRAMS',
  CUSTOMERS: 'CUSTOMERS',
  ACCOUNTS: 'ACCOUNTS',
  BENEFICIARIES: 'BENEFICIARIES',
  TRANSACTIONS: 'TRANSACTIONS',
  TRANSFERS: 'TRANSFERS',
} as const satisfies Record<Uppercase<ImportName>, string>;
export type ImportKind = keyof typeof ImportKind;
registerEnumType(ImportKind, {
  name: 'ImportKind',
  description: 'The kind of records that are imported. Import them in this order, since later kinds name earlier ones.',
  valuesConfig: {
    PROGRAMS: { description: 'Programs, as for `tillgate programs set`, with `programId`.' },
    CUSTOMERS: { description: 'Customers, who own accounts.' },
    ACCOUNTS: { description: 'Accounts, which name their owners.' },
    BENEFICIARIES: { description: 'Beneficiaries of accounts.' },
    TRANSACTIONS: { description: 'Transactions of accounts, in ledger order.' },
    TRANSFERS: { description: 'Transfers, each of which moves money between two accounts.' },
  },
});

@ObjectType({
  description: 'A fault of a line that was not imported; without its values.',
  simpleResolvers: true,
})
export class RejectedLine {
  @Field(() => Int, { description: 'The number of the line, counted from `firstLine`, with blank lines.' })
  line!: number;

  @Field(() => String, {
    description: 'The place in the line (RFC 6901), such as `/depositTransaction/amount`.',
  })
  pointer!: string;

  @Field(() => String, {
    description: 'The code of a problem of a field, such as `required`, or of a refusal.',
  })
  code!: string;

  @Field(() => String, { description: 'The problem and what to do, such as `This field is required.`.' })
  detail!: string;
}

@ObjectType({ description: 'The outcome of an import.', simpleResolvers: true })
export class ImportResult {
  @Field(() => Int, { description: 'The number of lines that are not blank.' })
  @Renamed('readCount')
  read!: number;

  @Field(() => Int, { description: 'The number of records that were added or changed.' })
  @Renamed('writtenCount')
  written!: number;

  @Field(() => Int, { description: 'The number of records that were as the lines say.' })
  @Renamed('unchangedCount')
  unchanged!: number;

  @Field(() => [RejectedLine], {
    description: 'The faults in the order of the lines; up to 10 for a line.',
  })
  rejected!: readonly RejectedLine[];
}

@ObjectType({ description: 'A field of records, for a map of CSV.', simpleResolvers: true })
export class ImportField {
  @Field(() => String, { description: 'The path of the field, such as `name.last`.' })
  path!: string;

  @Field(() => Boolean, { description: 'True if every record has the field.' })
  isRequired!: boolean;

  @Field(() => String, { description: 'The rule for its values, such as `Must be one of CHECKING, SAVINGS.`.' })
  form!: string;

  @Field(() => String, {
    nullable: true,
    description: 'The column whose name is like that of the field; null if there is none.',
  })
  column!: string | null;
}

@ObjectType({ description: 'The reading of CSV before an import.', simpleResolvers: true })
export class ImportTable {
  @Field(() => Int, { description: 'The line of the header, counted from 1.' })
  headerLine!: number;

  @Field(() => String, { nullable: true, description: 'The character that separates cells by `mapText`.' })
  separator!: string | null;

  @Field(() => [String], { description: 'The names in the header.' })
  columns!: readonly string[];

  @Field(() => [[String]], { description: 'The cells of the first rows, at most 10.' })
  rows!: readonly (readonly string[])[];

  @Field(() => [ImportField], { description: 'The fields of the records. A list has those of its first element.' })
  fields!: readonly ImportField[];
}
