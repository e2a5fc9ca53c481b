import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { ImportName } from './import.names.js';

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
  description: 'What the records of an import are. Import them in this order: later ones name earlier ones.',
  valuesConfig: {
    PROGRAMS: { description: 'The record of the program: as `tillgate programs set`, with `programId`.' },
    CUSTOMERS: { description: 'Customers, who own accounts.' },
    ACCOUNTS: { description: 'Accounts, which name their owners.' },
    BENEFICIARIES: { description: 'Beneficiaries of accounts.' },
    TRANSACTIONS: { description: 'Transactions of accounts, in ledger order.' },
    TRANSFERS: { description: 'Transfers, each of which moves money between two accounts when it is imported.' },
  },
});

@ObjectType({
  description:
    'Something that is wrong with a line, so that it was not imported. A line with several faults has several entries. It has no value of the line.',
  simpleResolvers: true,
})
export class RejectedLine {
  @Field(() => Int, { description: 'The number of the line, counted from `firstLine` with blank lines.' })
  line!: number;

  @Field(() => String, {
    description:
      'Where in the line it is (RFC 6901), such as `/depositTransaction/amount`; empty if it is the whole line.',
  })
  pointer!: string;

  @Field(() => String, {
    description: 'What it is: a code of a field, such as `required`, or of a refusal, such as `account_not_found`.',
  })
  code!: string;

  @Field(() => String, { description: 'What to do about it, such as `This field is required.`.' })
  detail!: string;
}

@ObjectType({ description: 'What became of the lines of an import.', simpleResolvers: true })
export class ImportResult {
  @Field(() => Int, { description: 'The number of lines that are not blank.' })
  read!: number;

  @Field(() => Int, { description: 'The number of records that were added or changed.' })
  written!: number;

  @Field(() => Int, { description: 'The number of records that were in the database as the lines say.' })
  unchanged!: number;

  @Field(() => [RejectedLine], {
    description: 'What is wrong with the lines that were not imported, in the order of the lines; up to 10 for a line.',
  })
  rejected!: readonly RejectedLine[];
}
