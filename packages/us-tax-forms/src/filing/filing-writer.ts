import { randomUUID } from 'node:crypto';
import type { Database } from 'tillgate/noun';
import type { IrisFormat } from '../iris/iris-format.js';
import { portalLine, type PortalTemplate } from '../iris/portal-csv.js';
import { CLOSING, detailOf, openingOf, type ReturnedPayer, type Transmitter } from '../iris/iris-xml.js';
import type { ReturnedForm } from '../iris/returned-form.js';
import { TaxFiling, TaxFilingForm, TaxTransmission } from '../tax-filing.entity.js';
import type { DueReturn, PayerYear } from './due-returns.js';
import { finishDraft } from './filing-states.js';
import { ReturnFile, fileStartOf } from './return-files.js';

/** The way in which the files of a filing are written, and the place. */
export interface FilingOrder extends PayerYear {
  readonly database: Database;
  readonly format: IrisFormat;
  readonly payer: ReturnedPayer;
  /** XML from system to system, or CSV for the portal. */
  readonly by: { readonly transmitter: Transmitter } | { readonly template: PortalTemplate };
  readonly isTest: boolean;
  readonly folder: string;
}

/** The number of rows that are written to the database at a time. */
const ROWS_AT_ONCE = 1000;
/** The opening of a file is some thousand bytes long. */
const OPENING_BYTES = 65_536;
const BOXES = [1, 2, 4, 17] as const;

interface Part {
  readonly number: number;
  readonly transmissionId: string;
  readonly originalReceiptId: string | null;
  readonly file: ReturnFile;
  forms: number;
  readonly cents: Record<number, bigint>;
}

/** Writes a filing: its files, and what is known of each return in the tables. */
export class FilingWriter {
  forms = 0;
  private parts = 0;
  private readonly cents: Record<number, bigint> = {};
  private part: Part | null = null;
  private readonly rows: object[] = [];
  private readonly files: ReturnFile[] = [];

  constructor(
    private readonly order: FilingOrder,
    private readonly draft: TaxFiling,
  ) {}

  /** Adds a return, in a new file where the one that is open is full. */
  async add(due: DueReturn, form: ReturnedForm): Promise<void> {
    const { format, by, payer, program, taxYear } = this.order;
    const part = await this.partFor(due, form);
    part.forms += 1;
    this.forms += 1;
    const recordId = part.forms;
    await part.file.add(
      'template' in by
        ? portalLine(format, by.template, payer, form)
        : detailOf(format, { recordId, form, corrects: due.corrects }),
    );
    for (const box of BOXES) {
      part.cents[box] = (part.cents[box] ?? 0n) + (form.cents[box] ?? 0n);
      this.cents[box] = (this.cents[box] ?? 0n) + (form.cents[box] ?? 0n);
    }
    this.rows.push({
      filingId: this.draft.filingId,
      part: part.number,
      recordId,
      program,
      taxYear,
      accountId: due.accountId,
      statementId: due.statementId,
      corrects: due.corrects,
      isZero: due.isZero,
      interestMinor: form.cents[1] ?? 0n,
      filedAt: new Date(),
      state: 'EXPORTED',
      errors: [],
    });
    if (this.rows.length >= ROWS_AT_ONCE) await this.flush();
  }

  /** Begins a file that replaces a rejected one as a whole. */
  async beginPart(originalReceiptId: string | null): Promise<void> {
    await this.endPart();
    this.parts += 1;
    const { by, folder } = this.order;
    const tcc = 'transmitter' in by ? by.transmitter.tcc : null;
    const extension = tcc === null ? 'csv' : 'xml';
    const name = `${fileStartOf(this.draft)}${this.parts}.${extension}`;
    const id = randomUUID();
    const transmissionId = tcc === null ? id : `${id}:IRIS:${tcc}::A`;
    const file = await ReturnFile.begin(folder, name);
    this.files.push(file);
    this.part = { number: this.parts, transmissionId, originalReceiptId, file, forms: 0, cents: {} };
  }

  /** The files are complete. Gives false, and leaves no files, if there was nothing to file. */
  async end(): Promise<boolean> {
    await this.endPart();
    await this.flush();
    const { draft, forms } = this;
    const { database } = this.order;
    if (forms === 0) {
      await database.em().nativeDelete(TaxFiling, { filingId: draft.filingId, state: 'DRAFT' });
      return false;
    }
    await finishDraft(database, draft, { forms, ...sumsOf(this.cents) });
    return true;
  }

  /** Leaves none of its files, since nobody may send them. */
  async discard(): Promise<void> {
    this.part = null;
    for (const file of this.files) await file.discard();
  }

  private async partFor(due: DueReturn, form: ReturnedForm): Promise<Part> {
    const { format, by } = this.order;
    const { limits } = format;
    const longest = Buffer.byteLength(detailOf(format, { recordId: 999_999_999, form, corrects: due.corrects }));
    const isFull =
      this.part !== null &&
      ('template' in by
        ? this.part.forms >= limits.portalForms
        : this.part.file.sizeBytes + longest + OPENING_BYTES > limits.partBytes);
    if (this.part === null || isFull) await this.beginPart(this.part?.originalReceiptId ?? null);
    return this.part as unknown as Part;
  }

  private async endPart(): Promise<void> {
    const { part, draft } = this;
    if (part === null) return;
    this.part = null;
    if (part.forms === 0) {
      await part.file.discard();
      this.parts -= 1;
      return;
    }
    const { format, by, payer, isTest } = this.order;
    const { number, transmissionId, originalReceiptId, forms, cents, file } = part;
    if ('template' in by) await file.finish(by.template.head, '');
    else {
      const head = { transmissionId, kind: draft.kind, isTest, originalReceiptId };
      await file.finish(openingOf(format, head, by.transmitter, payer, { forms, cents }), CLOSING);
    }
    await this.order.database.em().insert(TaxTransmission, {
      filingId: draft.filingId,
      part: number,
      transmissionId,
      receiptId: null,
      originalReceiptId,
      state: 'EXPORTED',
      forms,
      ...sumsOf(cents),
      sizeBytes: BigInt(file.sizeBytes),
      fileName: file.name,
      errors: [],
    });
  }

  private async flush(): Promise<void> {
    const rows = this.rows.splice(0);
    if (rows.length > 0) await this.order.database.em().insertMany(TaxFilingForm, rows as TaxFilingForm[]);
  }
}

function sumsOf(cents: Readonly<Record<number, bigint>>) {
  return {
    interestMinor: cents[1] ?? 0n,
    penaltyMinor: cents[2] ?? 0n,
    withheldMinor: cents[4] ?? 0n,
    stateWithheldMinor: cents[17] ?? 0n,
  };
}
