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
  description: 'In this order: later ones name earlier ones.',
  valuesConfig: {
    PROGRAMS: { description: 'As `tillgate programs set`, with `programId`.' },
    CUSTOMERS: { description: 'Who own accounts.' },
    ACCOUNTS: { description: 'Which name their owners.' },
    BENEFICIARIES: { description: 'Of accounts.' },
    TRANSACTIONS: { description: 'Of accounts, in ledger order.' },
    TRANSFERS: { description: 'Each moves money between two accounts.' },
  },
});

@ObjectType({
  description: 'A fault of a line that was not imported; without its values.',
  simpleResolvers: true,
})
export class RejectedLine {
  @Field(() => Int, { description: 'Counted from `firstLine` with blank lines.' })
  line!: number;

  @Field(() => String, {
    description: 'In the line (RFC 6901), such as `/depositTransaction/amount`.',
  })
  pointer!: string;

  @Field(() => String, {
    description: 'Of a field, such as `required`, or of a refusal.',
  })
  code!: string;

  @Field(() => String, { description: 'What to do about it, such as `This field is required.`.' })
  detail!: string;
}

@ObjectType({ description: 'What became of the lines.', simpleResolvers: true })
export class ImportResult {
  @Field(() => Int, { description: 'Lines that are not blank.' })
  @Renamed('readCount')
  read!: number;

  @Field(() => Int, { description: 'Records that were added or changed.' })
  @Renamed('writtenCount')
  written!: number;

  @Field(() => Int, { description: 'Records that were as the lines say.' })
  @Renamed('unchangedCount')
  unchanged!: number;

  @Field(() => [RejectedLine], {
    description: 'What is wrong, in the order of the lines; up to 10 for a line.',
  })
  rejected!: readonly RejectedLine[];
}

@ObjectType({ description: 'A field of records, for a map of CSV.', simpleResolvers: true })
export class ImportField {
  @Field(() => String, { description: 'Its path, such as `name.last`.' })
  path!: string;

  @Field(() => Boolean, { description: 'Whether every record has it.' })
  isRequired!: boolean;

  @Field(() => String, { description: 'What its values are, such as `Must be one of CHECKING, SAVINGS.`.' })
  form!: string;

  @Field(() => String, { nullable: true, description: 'The column whose name is like its own; null for none.' })
  column!: string | null;
}

@ObjectType({ description: 'How CSV is read, and what a map may name.', simpleResolvers: true })
export class ImportTable {
  @Field(() => Int, { description: 'The line of the header, counted from 1.' })
  headerLine!: number;

  @Field(() => String, { nullable: true, description: 'What `mapText` says that separates cells.' })
  separator!: string | null;

  @Field(() => [String], { description: 'The names in the header.' })
  columns!: readonly string[];

  @Field(() => [[String]], { description: 'The cells of the first rows, at most 10.' })
  rows!: readonly (readonly string[])[];

  @Field(() => [ImportField], { description: 'The fields of the records; of a list those of its first element.' })
  fields!: readonly ImportField[];
}
