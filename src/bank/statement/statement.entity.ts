import { Check, Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { ACCOUNT_ID, OfAccount } from '../account/account.entity.js';
import { Node, NodeKey } from '../../platform/graphql/node.js';
import { DateTimeISO, LocalDate } from '../../platform/scalars/scalars.js';
import { DataClasses } from '../../platform/repository/data-classes.js';
import { Lazy, Sealed } from '../../platform/repository/declarations.js';

export const DocumentType = { STATEMENTS: 'STATEMENTS', TAX_1099: 'TAX_1099' } as const;
export type DocumentType = keyof typeof DocumentType;
registerEnumType(DocumentType, {
  name: 'DocumentType',
  description: 'A statement or a tax form.',
  valuesConfig: {
    STATEMENTS: { description: 'A statement of a month, or of a partner.' },
    TAX_1099: { description: 'A Form 1099-INT about a tax year.' },
  },
});

export const StatementSource = { PLATFORM: 'PLATFORM', PARTNER: 'PARTNER' } as const;
export type StatementSource = keyof typeof StatementSource;
registerEnumType(StatementSource, {
  name: 'StatementSource',
  description: 'The maker of a document.',
  valuesConfig: {
    PLATFORM: { description: 'This gateway, from the ledger.' },
    PARTNER: { description: 'A partner, whose PDF is stored unchanged.' },
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
  description: 'The fault of a Form 1099-INT.',
  valuesConfig: {
    AMOUNT: {
      description: 'The amounts were wrong (IRS error type 1): one corrected return replaces the first.',
    },
    RECIPIENT: {
      description:
        'The name or tax id of the recipient was wrong (IRS error type 2): a return with zeros, and a new one.',
    },
    ADDRESS: { description: "The recipient's address was wrong: a corrected copy for the recipient." },
    PAYER: {
      description: "The payer's name or tax id was wrong: corrected copies, and a letter to the IRS.",
    },
    FILING: {
      description: 'The form did not say correctly whether the payer files it with the IRS.',
    },
  },
});

/**
 * A document of an account: a monthly statement, a Form 1099-INT, or what a partner sent. It is never changed or
 * deleted: the database refuses both, except for the sealed key of the document when keys are rotated.
 */
@Entity({ tableName: 'statement' })
@DataClasses<Statement>({
  kept: 'as long as the account; documents are never changed, and deleted only with their account',
  internal: [
    'program',
    'documentType',
    'source',
    'statementDate',
    'issuedAt',
    'correctionKind',
    'throughSeq',
    'timeZone',
    'sizeBytes',
    'sha256',
  ],
  identifier: ['accountId', 'statementId', 'correctsStatementId', 'sameReturnAs'],
  ledger: ['amountMinor'],
  personal: {
    description: 'in the clear: lists show the title, which a partner may choose',
    pdf: 'encrypted: with a key of its own',
    content: 'encrypted: with a key of its own',
  },
  secret: { sealedKey: 'sealed' },
})
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
  description: 'A statement or a Form 1099-INT. It never changes once it is issued.',
  implements: Node,
  simpleResolvers: true,
})
export class Statement {
  @OfAccount()
  @Field(() => ID, { description: ACCOUNT_ID })
  accountId!: string;

  @PrimaryKey({ type: 'uuid' })
  @Field(() => ID, {
    description: 'The id of the document, also in its REST route, such as `5b0e8a53-0c1f-4a2e-9d44-7f1c9a523d60`.',
  })
  statementId!: string;

  @Property({ type: 'text' }) program!: string;

  @Property({ type: 'text' })
  @Field(() => DocumentType, { description: 'The type of the document: a statement or a tax form.' })
  documentType!: DocumentType;

  @Property({ type: 'text' })
  @Field(() => StatementSource, { description: 'The maker of the document.' })
  source!: StatementSource;

  @Property({ type: 'date' })
  @Field(() => LocalDate, {
    description: 'The last day of the period; 31 December for a Form 1099-INT.',
  })
  statementDate!: string;

  @Property({ type: 'text' })
  @Field(() => String, {
    description: 'The title: the statement date, unless a partner sent another.',
  })
  description!: string;

  @Property({ type: 'datetime', length: 3, defaultRaw: 'now()' })
  @Field(() => DateTimeISO, {
    description: 'The time at which the document was issued, or came from a partner.',
  })
  issuedAt!: Date;

  /** The document that this one corrects, of the same account. */
  @Property({ type: 'uuid', nullable: true })
  @Field(() => ID, {
    nullable: true,
    description: 'The id of the document that this one corrects, such as `5b0e8a53-0c1f-4a2e-9d44-7f1c9a523d60`.',
  })
  correctsStatementId!: string | null;

  /** Corrections of before other errors were found have none, and correct amounts. */
  @Property({ type: 'text', nullable: true })
  @Field(() => CorrectionKind, {
    nullable: true,
    description: 'The fault of the document that this one corrects.',
  })
  correctionKind!: CorrectionKind | null;

  /**
   * The first form of the account and the year that says the same to the IRS, where corrections have taken each other
   * back; null for a form that says something new.
   */
  @Property({ type: 'uuid', nullable: true }) sameReturnAs!: string | null;

  /** The number, in ledger order, of the last entry that the document knows. */
  @Property({ type: 'bigint', nullable: true }) throughSeq!: bigint | null;
  /** The closing balance of a statement, the interest of a Form 1099-INT, in minor units. */
  @Property({ type: 'bigint', nullable: true }) amountMinor!: bigint | null;

  /** The time zone of the account at the issue. Partners' documents, and those of before it was kept, have none. */
  @Property({ type: 'text', nullable: true }) timeZone!: string | null;

  @Property({ type: 'integer' })
  @Field(() => Int, { description: 'The size of the PDF.' })
  sizeBytes!: number;

  /** SHA-256 of the PDF. */
  @Property({ type: 'blob' })
  @Field(() => String, {
    description: 'The SHA-256 of the PDF, such as `9f86d081…`, which is also the `ETag` of the download.',
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
  /** The content of the PDF, as `StatementContent` or `TaxFormContent`, encrypted. A partner's document has none. */
  @Lazy()
  @Property({ type: 'blob', nullable: true })
  content!: Buffer | null;

  @Field(() => String, {
    description: 'The path of the download over REST, such as `/accounts/demo-1001/Statements/5b0e8a53`.',
  })
  downloadPath!: string;
}

/** A document as it is listed. */
export type StatementView = Readonly<
  Omit<
    Statement,
    | 'program'
    | 'issuedAt'
    | 'sameReturnAs'
    | 'throughSeq'
    | 'amountMinor'
    | 'timeZone'
    | 'sha256'
    | 'sealedKey'
    | 'pdf'
    | 'content'
  >
> & { readonly issuedAt: string; readonly sha256: string };
