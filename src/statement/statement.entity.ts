import { Check, Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { ACCOUNT_ID, OfAccount } from '../account/account.entity.js';
import { Node, NodeKey } from '../platform/graphql/node.js';
import { DateTimeISO, LocalDate } from '../platform/scalars/scalars.js';
import { Lazy, Sealed } from '../platform/repository/declarations.js';

export const DocumentType = { STATEMENTS: 'STATEMENTS', TAX_1099: 'TAX_1099' } as const;
export type DocumentType = keyof typeof DocumentType;
registerEnumType(DocumentType, {
  name: 'DocumentType',
  description: 'Whether a document is a statement or a tax form.',
  valuesConfig: {
    STATEMENTS: { description: 'A monthly statement, or a statement of a partner. REST: Statements.' },
    TAX_1099: { description: 'A Form 1099-INT about the interest of a tax year. REST: 1099.' },
  },
});

export const StatementSource = { PLATFORM: 'PLATFORM', PARTNER: 'PARTNER' } as const;
export type StatementSource = keyof typeof StatementSource;
registerEnumType(StatementSource, {
  name: 'StatementSource',
  description: 'The source of a document.',
  valuesConfig: {
    PLATFORM: { description: 'Issued by this gateway from the ledger.' },
    PARTNER: { description: 'Uploaded by a partner, and stored unchanged.' },
  },
});

export const CorrectionKind = {
  AMOUNT: 'AMOUNT',
  RECIPIENT: 'RECIPIENT',
  ADDRESS: 'ADDRESS',
  PAYER: 'PAYER',
  FILING: 'FILING',
} as const;
export type CorrectionKind = keyof typeof CorrectionKind;
registerEnumType(CorrectionKind, {
  name: 'CorrectionKind',
  description:
    'What was wrong with a Form 1099-INT that was corrected. It decides how the correction is filed with the IRS. If several things were wrong, it is the one that takes most to correct.',
  valuesConfig: {
    AMOUNT: {
      description: 'An amount (error type 1 of the IRS): one corrected return takes the place of the first.',
    },
    RECIPIENT: {
      description:
        'The name or the tax id of the recipient (error type 2 of the IRS): one return repeats the first with amounts of zero, and a new one reports everything.',
    },
    ADDRESS: { description: 'Only the address of the recipient: a corrected copy for the recipient.' },
    PAYER: {
      description:
        'The name or the tax id of the payer: corrected copies for the recipients. The payer writes the IRS a letter.',
    },
    FILING: {
      description:
        'Nothing but whether the payer files the form: interest of other accounts of the recipient decides about it.',
    },
  },
});

/**
 * A document of an account: a monthly statement, a Form 1099-INT, or what a partner sent. It is never changed or
 * deleted: the database refuses both, except for the sealed key of the document when keys are rotated.
 */
@Entity({ tableName: 'statement' })
@Index({ name: 'statement_newest', properties: ['accountId', 'statementDate', 'issuedAt', 'statementId'] })
// One document for each account and period, and one correction of each document, however many processes issue.
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
@NodeKey('accountId', 'statementId')
@ObjectType({
  description: 'A document of an account: a statement, or a Form 1099-INT. It never changes once it is issued.',
  implements: Node,
  simpleResolvers: true,
})
export class Statement {
  @OfAccount()
  @Field(() => ID, { description: ACCOUNT_ID })
  accountId!: string;

  @PrimaryKey({ type: 'uuid' })
  @Field(() => ID, {
    description:
      'The id of the document, such as `5b0e8a53-0c1f-4a2e-9d44-7f1c9a523d60`. The REST route of the download uses the same id.',
  })
  statementId!: string;

  @Property({ type: 'text' }) program!: string;

  @Property({ type: 'text' })
  @Field(() => DocumentType, { description: 'Whether the document is a statement or a tax form.' })
  documentType!: DocumentType;

  @Property({ type: 'text' })
  @Field(() => StatementSource, { description: 'Whether this gateway issued the document, or a partner sent it.' })
  source!: StatementSource;

  @Property({ type: 'date' })
  @Field(() => LocalDate, {
    description:
      'The last day of the period, such as `2026-03-31`; for a Form 1099-INT it is 31 December of the tax year.',
  })
  statementDate!: string;

  @Property({ type: 'text' })
  @Field(() => String, {
    description: 'The title of the document: the statement date, unless a partner sent another title.',
  })
  description!: string;

  @Property({ type: 'datetime', length: 3, defaultRaw: 'now()' })
  @Field(() => DateTimeISO, {
    description: 'When the document was issued, or received from a partner, such as `2026-04-01T02:15:00.000Z`.',
  })
  issuedAt!: Date;

  /** The document that this one corrects, of the same account. */
  @Property({ type: 'uuid', nullable: true })
  @Field(() => ID, {
    nullable: true,
    description:
      'The document that this one corrects, such as `5b0e8a53-0c1f-4a2e-9d44-7f1c9a523d60`; null if it corrects none.',
  })
  correctsStatementId!: string | null;

  /** Corrections of before other errors were found have none, and correct amounts. */
  @Property({ type: 'text', nullable: true })
  @Field(() => CorrectionKind, {
    nullable: true,
    description: 'What was wrong with the document that this one corrects; null if it corrects none.',
  })
  correctionKind!: CorrectionKind | null;

  /** The number, in ledger order, of the last entry that the document knows. */
  @Property({ type: 'bigint', nullable: true }) throughSeq!: bigint | null;
  /** The closing balance of a statement, the interest of a Form 1099-INT, in minor units. */
  @Property({ type: 'bigint', nullable: true }) amountMinor!: bigint | null;

  /** The time zone of the account at the issue. Partners' documents, and those of before it was kept, have none. */
  @Property({ type: 'text', nullable: true }) timeZone!: string | null;

  @Property({ type: 'integer' })
  @Field(() => Int, { description: 'The size of the PDF in bytes.' })
  sizeBytes!: number;

  /** SHA-256 of the PDF. */
  @Property({ type: 'blob' })
  @Field(() => String, {
    description:
      'SHA-256 of the PDF, 64 hexadecimal digits such as `9f86d081…`. The download has the same value in `ETag`.',
  })
  sha256!: Buffer;

  /** The key of this document alone, sealed: see `StatementVault`. */
  @Sealed({})
  @Property({ type: 'blob' })
  sealedKey!: Buffer;
  /** The PDF, encrypted. */
  @Lazy()
  @Property({ type: 'blob' })
  pdf!: Buffer;
  /** What the PDF says, as `StatementContent` or `TaxFormContent`, encrypted. A partner's document has none. */
  @Lazy()
  @Property({ type: 'blob', nullable: true })
  content!: Buffer | null;

  @Field(() => String, {
    description:
      'The REST path of the PDF, such as `/accounts/demo-1001/Statements/5b0e8a53-0c1f-4a2e-9d44-7f1c9a523d60`.',
  })
  downloadPath!: string;
}

/** A document as it is listed. */
export type StatementView = Readonly<
  Omit<
    Statement,
    'program' | 'issuedAt' | 'throughSeq' | 'amountMinor' | 'timeZone' | 'sha256' | 'sealedKey' | 'pdf' | 'content'
  >
> & { readonly issuedAt: string; readonly sha256: string };
