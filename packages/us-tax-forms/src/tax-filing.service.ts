import {
  UUID_TEXT,
  cursorOptions,
  decimalOf,
  inReadingOrder,
  instantPlaceOf,
  positionAt,
  positionOf,
  sliceOf,
  windowOf,
  type Caller,
  type CursorRequest,
  type Database,
  type Listing,
  type Page,
  type PageRequest,
  type TaxFormService,
} from 'tillgate/noun';
import { readAcknowledgement } from './filing/acknowledgement.js';
import { returnFile } from './filing/return-file.js';
import type { AcknowledgedFiling, FilingAnswer, TaxFilingCommands } from './tax-filing.commands.js';
import {
  TaxFiling,
  TaxFilingForm,
  TaxTransmission,
  type TaxFilingFormView,
  type TaxFilingState,
  type TaxFilingView,
} from './tax-filing.entity.js';
import type { TaxFilingRepository } from './tax-filing.repository.js';
import { TaxFilingNotFound } from './tax.errors.js';
import type { TaxFilingMark, StartTaxFilingInput } from './tax.inputs.js';
import { READ_TAX_FILINGS } from './tax.operations.js';

const RETURN_PLACE = /^(\d{1,9}) (\d{1,9})$/;

/** A file that goes to the IRS. */
export interface DownloadedFile {
  readonly fileName: string;
  readonly contentType: string;
  /** The number of returns in it. */
  readonly forms: number;
  readonly content: AsyncIterable<Buffer>;
}

const CONTENT_TYPES = { XML: 'application/xml; charset=utf-8', CSV: 'text/csv; charset=utf-8' } as const;

/** Files returns of the caller's program with the IRS, and tells what became of them. */
export class TaxFilingService {
  constructor(
    private readonly database: Database,
    readonly repository: TaxFilingRepository,
    private readonly commands: TaxFilingCommands,
    private readonly taxForms: TaxFormService,
  ) {}

  /**
   * Files what is due: the originals and the corrections of a year; or, where the IRS rejected files, what replaces
   * them. It takes the place of filings that nobody has sent. Gives the drafts, which a job writes: one in which there
   * is nothing to file is deleted. Throws `ProgramIncomplete`, `TaxFilingUnanswered`, and `InvalidInput` for a year
   * without a format, and for a transmitter or a template that returns cannot have.
   */
  async start(caller: Caller, order: StartTaxFilingInput): Promise<TaxFilingView[]> {
    const { filingIds } = await this.commands.start(caller, order);
    return this.begun(caller, filingIds);
  }

  /** Files as `start` does, for the command line: nobody has to approve it. Gives the ids of the drafts. */
  async startHere(caller: Caller, order: StartTaxFilingInput): Promise<readonly string[]> {
    return (await this.commands.startHere(caller, order)).filingIds;
  }

  /**
   * Keeps what the IRS answered, of the file and of each return in it. Throws `TaxAnswerUnknown`, `TaxFilingNotCurrent`,
   * `TooLarge`, and `InvalidInput` at `pointer` for what is no answer.
   */
  async acknowledge(caller: Caller, answer: Buffer, pointer: string): Promise<TaxFilingView> {
    this.commands.acknowledge.allow(caller);
    const { filingId } = await this.answer(caller, readAcknowledgement(answer, pointer));
    return this.get(caller, filingId);
  }

  /** Keeps what the portal said of all files of a filing. Throws `TaxFilingNotFound`, `TaxFilingNotCurrent`. */
  async mark(caller: Caller, id: string, state: TaxFilingMark, receiptId: string | null): Promise<TaxFilingView> {
    this.commands.mark.allow(caller);
    const filingId = id.toLowerCase();
    if (!UUID_TEXT.test(filingId)) throw new TaxFilingNotFound();
    await this.answer(caller, { filingId, transmissionId: null, receiptId, state, errors: [], records: [] });
    return this.get(caller, filingId);
  }

  /** Keeps an answer that was read before. Throws as `acknowledge` and `mark`. */
  async answer(caller: Caller, answer: FilingAnswer): Promise<AcknowledgedFiling> {
    return await (answer.filingId === null
      ? this.commands.acknowledge(caller, answer)
      : this.commands.mark(caller, answer));
  }

  /**
   * A file of a filing, which has whole tax ids: that somebody fetches it is recorded first. Throws
   * `TaxFilingNotFound`, `TaxFilingNotCurrent`.
   */
  async file(caller: Caller, filingId: string, part: number): Promise<DownloadedFile> {
    this.commands.download.allow(caller);
    const id = filingId.toLowerCase();
    if (!UUID_TEXT.test(id) || !Number.isSafeInteger(part) || part > MAX_FILES) throw new TaxFilingNotFound();
    await this.commands.download(caller, { filingId: id, part });
    const [filing, file] = await Promise.all([
      this.repository.one(id),
      this.database.primary().findOne(TaxTransmission, { filingId: id, part }),
    ]);
    if (!filing || !file) throw new TaxFilingNotFound();
    const { database, taxForms } = this;
    return {
      fileName: file.fileName,
      contentType: CONTENT_TYPES[filing.format],
      forms: file.forms,
      content: returnFile({ database, taxForms }, filing, file),
    };
  }

  private async begun({ program }: Caller, filingIds: readonly string[]): Promise<TaxFilingView[]> {
    const rows = await this.database
      .primary()
      .find(TaxFiling, { program, filingId: { $in: [...filingIds] } }, { exclude: ['sealed'] });
    return rows
      .toSorted((one, other) => filingIds.indexOf(one.filingId) - filingIds.indexOf(other.filingId))
      .map(viewOf);
  }

  /** The newest first. Throws `InvalidInput`. */
  list(caller: Caller, taxYear: number | null, request: CursorRequest): Listing<TaxFilingView> {
    caller.require(READ_TAX_FILINGS);
    const window = windowOf(request, (cursor, pointer) => {
      const { at, id: filingId } = instantPlaceOf(cursor, pointer);
      return { createdAt: new Date(at), filingId };
    });
    const where = selected(caller, taxYear);
    const orderBy = { createdAt: 'desc', filingId: 'desc' } as const;
    return {
      page: async () => {
        const found = await this.database
          .em()
          .find(TaxFiling, where, { orderBy, exclude: ['sealed'], ...cursorOptions(window) });
        const rows = inReadingOrder(found, window).map(viewOf);
        return sliceOf(rows, window, ({ createdAt: at, filingId: id }) => positionAt({ at, id }));
      },
      total: () => this.database.em().count(TaxFiling, where),
    };
  }

  /** A page by offset of the filings, the newest first. */
  async page(caller: Caller, taxYear: number | null, { offset, limit }: PageRequest): Promise<Page<TaxFilingView>> {
    caller.require(READ_TAX_FILINGS);
    const where = selected(caller, taxYear);
    const orderBy = { createdAt: 'desc', filingId: 'desc' } as const;
    const [rows, total] = await this.database
      .em()
      .findAndCount(TaxFiling, where, { orderBy, offset, limit, exclude: ['sealed'] });
    return { items: rows.map(viewOf), total };
  }

  /** One filing of the caller's program, or null. */
  async find(caller: Caller, filingId: string): Promise<TaxFilingView | null> {
    caller.require(READ_TAX_FILINGS);
    const id = filingId.toLowerCase();
    if (!UUID_TEXT.test(id)) return null;
    const found = await this.database
      .em()
      .findOne(TaxFiling, { filingId: id, program: caller.program }, { exclude: ['sealed'] });
    return found && viewOf(found);
  }

  /** Throws `TaxFilingNotFound`. */
  async get(caller: Caller, filingId: string): Promise<TaxFilingView> {
    const found = await this.find(caller, filingId);
    if (!found) throw new TaxFilingNotFound();
    return found;
  }

  /** The files of a filing that the caller sees, in their order. There are some dozens at most. */
  transmissions(caller: Caller, { filingId }: Pick<TaxFilingView, 'filingId'>): Promise<TaxTransmission[]> {
    caller.require(READ_TAX_FILINGS);
    return this.database.em().find(TaxTransmission, { filingId }, { orderBy: { part: 'asc' }, limit: MAX_FILES });
  }

  /** The returns of a filing that the caller sees, as they are in its files. Throws `InvalidInput`. */
  returns(
    caller: Caller,
    { filingId }: Pick<TaxFilingView, 'filingId'>,
    states: readonly TaxFilingState[] | null,
    request: CursorRequest,
  ): Listing<TaxFilingFormView> {
    caller.require(READ_TAX_FILINGS);
    const window = windowOf(request, (cursor, pointer) => {
      const [, part, recordId] = RETURN_PLACE.exec(positionOf(cursor, RETURN_PLACE, pointer)) ?? [];
      return { part: Number(part), recordId: Number(recordId) };
    });
    const where = { filingId, ...(states && { state: { $in: [...states] } }) };
    const orderBy = { part: 'asc', recordId: 'asc' } as const;
    return {
      page: async () => {
        const found = await this.database.em().find(TaxFilingForm, where, { orderBy, ...cursorOptions(window) });
        const rows = inReadingOrder(found, window).map(returnOf);
        return sliceOf(rows, window, ({ part, recordId }) => `${part} ${recordId}`);
      },
      total: () => this.database.em().count(TaxFilingForm, where),
    };
  }

  /** A page by offset of the returns of a filing. Throws `TaxFilingNotFound`. */
  async returnPage(
    caller: Caller,
    id: string,
    states: readonly TaxFilingState[] | null,
    { offset, limit }: PageRequest,
  ): Promise<Page<TaxFilingFormView>> {
    const { filingId } = await this.get(caller, id);
    const where = { filingId, ...(states && { state: { $in: [...states] } }) };
    const orderBy = { part: 'asc', recordId: 'asc' } as const;
    const [rows, total] = await this.database.em().findAndCount(TaxFilingForm, where, { orderBy, offset, limit });
    return { items: rows.map(returnOf), total };
  }
}

/** More files than a million forms make as CSV. */
export const MAX_FILES = 5000;

/** The currency of returns. */
const CURRENCY = 'USD';

function selected({ program }: Caller, taxYear: number | null) {
  return { program, ...(taxYear !== null && { taxYear }) };
}

function viewOf(filing: Omit<TaxFiling, 'sealed'>): TaxFilingView {
  const { filingId, taxYear, kind, format, state, isTest, replaces, forms, interestMinor, withheldMinor } = filing;
  return {
    filingId,
    taxYear,
    kind,
    format,
    state,
    isTest,
    replaces,
    forms,
    createdAt: filing.createdAt.toISOString(),
    changedAt: filing.changedAt.toISOString(),
    currency: CURRENCY,
    interest: decimalOf(interestMinor, CURRENCY),
    federalTaxWithheld: decimalOf(withheldMinor, CURRENCY),
  };
}

function returnOf(row: TaxFilingForm): TaxFilingFormView {
  const { part, recordId, accountId, statementId, corrects, isZero, interestMinor, state, errors } = row;
  const interest = decimalOf(interestMinor, CURRENCY);
  return { part, recordId, accountId, statementId, corrects, isZero, currency: CURRENCY, interest, state, errors };
}
