import { randomUUID } from 'node:crypto';
import type { Database } from 'tillgate/noun';
import type { IrisFormat } from '../iris/iris-format.js';
import { detailOf } from '../iris/iris-xml.js';
import type { ReturnedForm } from '../iris/returned-form.js';
import { TaxFiling, TaxFilingForm, TaxTransmission, type TaxFilingRead } from '../tax-filing.entity.js';
import type { DueReturn } from './due-returns.js';
import { finishDraft } from './filing-states.js';
import { closingOf, lineOf, openingOfFile, type TransmissionFacts } from './return-file.js';

/** The filing that is written, and what its files are made by. */
export interface FilingWork {
  readonly database: Database;
  readonly format: IrisFormat;
  readonly draft: TaxFilingRead;
}

/** The number of rows that are written to the database at a time. */
const ROWS_AT_ONCE = 1000;
/** The opening of a file is some thousand bytes long. */
const OPENING_BYTES = 65_536;
const BOXES = [1, 2, 4, 17] as const;

interface Part extends TransmissionFacts {
  forms: number;
  sizeBytes: number;
  readonly cents: Record<number, bigint>;
}

/**
 * Divides the returns of a filing among files, and writes what is known of each return and each file to the tables. The
 * files themselves are made of these rows and of the forms each time that somebody fetches them.
 */
export class FilingWriter {
  private forms = 0;
  private parts = 0;
  private readonly cents: Record<number, bigint> = {};
  private part: Part | null = null;
  private readonly rows: object[] = [];

  constructor(private readonly work: FilingWork) {}

  /** Forgets what a run before has written of the filing, which it did not end. */
  async begin(): Promise<void> {
    const em = this.work.database.em();
    const { filingId } = this.work.draft;
    await em.nativeDelete(TaxFilingForm, { filingId });
    await em.nativeDelete(TaxTransmission, { filingId });
  }

  /** Adds a return, in a new file where the one that is open is full. */
  async add(due: DueReturn, form: ReturnedForm): Promise<void> {
    const { format, draft } = this.work;
    const part = await this.partFor(due, form);
    part.forms += 1;
    this.forms += 1;
    const recordId = part.forms;
    const { corrects } = due;
    part.sizeBytes += Buffer.byteLength(lineOf(format, draft.sender, { recordId, form, corrects }));
    for (const box of BOXES) {
      part.cents[box] = (part.cents[box] ?? 0n) + (form.cents[box] ?? 0n);
      this.cents[box] = (this.cents[box] ?? 0n) + (form.cents[box] ?? 0n);
    }
    this.rows.push({
      filingId: draft.filingId,
      part: part.part,
      recordId,
      program: draft.program,
      taxYear: draft.taxYear,
      accountId: due.accountId,
      statementId: due.statementId,
      corrects,
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
    const { by } = this.work.draft.sender;
    const id = randomUUID();
    const transmissionId = 'transmitter' in by ? `${id}:IRIS:${by.transmitter.tcc}::A` : id;
    this.part = { part: this.parts, transmissionId, originalReceiptId, forms: 0, sizeBytes: 0, cents: {} };
  }

  /** Ends the filing, which is deleted if there was nothing to file. */
  async end(): Promise<void> {
    await this.endPart();
    await this.flush();
    const { forms } = this;
    const { database, draft } = this.work;
    if (forms > 0) await finishDraft(database, draft, { forms, ...sumsOf(this.cents) });
    else await database.em().nativeDelete(TaxFiling, { filingId: draft.filingId, state: 'DRAFT' });
  }

  private async partFor(due: DueReturn, form: ReturnedForm): Promise<Part> {
    const { format, draft } = this.work;
    const { limits } = format;
    const longest = Buffer.byteLength(detailOf(format, { recordId: 999_999_999, form, corrects: due.corrects }));
    const isFull =
      this.part !== null &&
      (draft.format === 'CSV'
        ? this.part.forms >= limits.portalForms
        : this.part.sizeBytes + longest + OPENING_BYTES > limits.partBytes);
    if (this.part === null || isFull) await this.beginPart(this.part?.originalReceiptId ?? null);
    return this.part as unknown as Part;
  }

  private async endPart(): Promise<void> {
    const { part } = this;
    if (part === null) return;
    this.part = null;
    if (part.forms === 0) {
      this.parts -= 1;
      return;
    }
    const { database, format, draft } = this.work;
    const { filingId, taxYear, kind, sender } = draft;
    const around = Buffer.byteLength(openingOfFile(format, draft, part)) + Buffer.byteLength(closingOf(sender));
    const name = `1099-int-${taxYear}-${kind.toLowerCase()}-${filingId.slice(0, 8)}-${part.part}`;
    await database.em().insert(TaxTransmission, {
      filingId,
      part: part.part,
      transmissionId: part.transmissionId,
      receiptId: null,
      originalReceiptId: part.originalReceiptId,
      state: 'EXPORTED',
      forms: part.forms,
      ...sumsOf(part.cents),
      sizeBytes: BigInt(part.sizeBytes + around),
      fileName: `${name}.${draft.format.toLowerCase()}`,
      errors: [],
    });
  }

  private async flush(): Promise<void> {
    const rows = this.rows.splice(0);
    if (rows.length > 0) await this.work.database.em().insertMany(TaxFilingForm, rows as TaxFilingForm[]);
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
