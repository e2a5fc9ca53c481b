import { Check, Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { OfAccount } from '../account/account.entity.js';
import { DateTimeISO, LocalDate } from '../platform/graphql/scalars.js';

export const DocumentType = { STATEMENTS: 'STATEMENTS', TAX_1099: 'TAX_1099' } as const;
export type DocumentType = keyof typeof DocumentType;
registerEnumType(DocumentType, {
  name: 'DocumentType',
  description: 'What kind of document it is.',
  valuesConfig: {
    STATEMENTS: { description: 'A statement of the account. REST: Statements.' },
    TAX_1099: { description: 'A Form 1099-INT: the interest of a tax year. REST: 1099.' },
  },
});

export const StatementSource = { PLATFORM: 'PLATFORM', PARTNER: 'PARTNER' } as const;
export type StatementSource = keyof typeof StatementSource;
registerEnumType(StatementSource, {
  name: 'StatementSource',
  description: 'Who made a document.',
  valuesConfig: {
    PLATFORM: { description: 'Issued here from the ledger.' },
    PARTNER: { description: 'Uploaded by a partner, and kept as it was sent.' },
  },
});

/**
 * A document of an account: a monthly statement, a Form 1099-INT, or what a partner sent. Never changed and never deleted once it is
 * issued: the database refuses both, but for the seal of the document's key, which is made anew when keys are rotated.
 */
@Entity({ tableName: 'statement' })
@Index({ name: 'statement_newest', properties: ['accountId', 'statementDate', 'issuedAt', 'statementId'] })
// One document for each account and period, however many processes issue: a correction names what it corrects, and is one as well.
@Index({
  name: 'statement_issued_once',
  expression: `create unique index "statement_issued_once" on "statement" ("account_id", "document_type", "statement_date")
    where source = 'PLATFORM' and corrects_statement_id is null`,
})
@Index({
  name: 'statement_corrected_once',
  expression: `create unique index "statement_corrected_once" on "statement" ("account_id", "corrects_statement_id")
    where corrects_statement_id is not null`,
})
@Check({
  name: 'statement_issued',
  expression: `(source = 'PLATFORM') = (through_seq is not null and amount_minor is not null and content is not null)`,
})
@ObjectType({ description: 'A document of an account: a statement, or a Form 1099-INT.', simpleResolvers: true })
export class Statement {
  @OfAccount()
  @Field(() => ID, { description: 'The account.' })
  accountId!: string;

  @PrimaryKey({ type: 'uuid' })
  @Field(() => ID, { description: 'Identifies the document; its download takes it.' })
  statementId!: string;

  @Property({ type: 'text' }) program!: string;

  @Property({ type: 'text' })
  @Field(() => DocumentType, { description: 'What kind of document it is.' })
  documentType!: DocumentType;

  @Property({ type: 'text' })
  @Field(() => StatementSource, { description: 'Who made it.' })
  source!: StatementSource;

  @Property({ type: 'date' })
  @Field(() => LocalDate, {
    description: 'The last day of its period; of a Form 1099-INT 31 December of the tax year.',
  })
  statementDate!: string;

  @Property({ type: 'text' })
  @Field(() => String, { description: 'The statement date, or what the partner called it.' })
  description!: string;

  @Property({ type: 'datetime', length: 3, defaultRaw: 'now()' })
  @Field(() => DateTimeISO, { description: 'When it was issued, or arrived.' })
  issuedAt!: Date;

  /** The document that this one corrects, of the same account. */
  @Property({ type: 'uuid', nullable: true })
  @Field(() => ID, { nullable: true, description: 'The document that this one corrects.' })
  correctsStatementId!: string | null;

  /** How much of the ledger it knows: up to this number in ledger order. */
  @Property({ type: 'bigint', nullable: true }) throughSeq!: bigint | null;
  /** The closing balance of a statement, the interest of a Form 1099-INT, in minor units. */
  @Property({ type: 'bigint', nullable: true }) amountMinor!: bigint | null;

  @Property({ type: 'integer' })
  @Field(() => Int, { description: 'The size of the PDF in bytes.' })
  sizeBytes!: number;

  /** SHA-256 of the PDF. */
  @Property({ type: 'blob' })
  @Field(() => String, { description: 'SHA-256 of the PDF, in hexadecimal digits. The download has it as its ETag.' })
  sha256!: Buffer;

  /** The key of this document alone, sealed: see `StatementVault`. */
  @Property({ type: 'blob' }) sealedKey!: Buffer;
  /** The PDF, encrypted. */
  @Property({ type: 'blob' }) pdf!: Buffer;
  /** What the PDF says, as `StatementContent` or `TaxFormContent`, encrypted. A partner's document has none. */
  @Property({ type: 'blob', nullable: true }) content!: Buffer | null;

  @Field(() => String, { description: 'The path under which REST gives the document.' }) downloadPath!: string;
}

/** A document as it is listed. */
export type StatementView = Readonly<
  Pick<
    Statement,
    | 'accountId'
    | 'statementId'
    | 'documentType'
    | 'source'
    | 'statementDate'
    | 'description'
    | 'correctsStatementId'
    | 'sizeBytes'
    | 'downloadPath'
  >
> & { readonly issuedAt: string; readonly sha256: string };
