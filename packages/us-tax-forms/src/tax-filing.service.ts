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
} from 'tillgate/noun';
import {
  TaxFiling,
  TaxFilingForm,
  TaxTransmission,
  type TaxFilingFormView,
  type TaxFilingState,
  type TaxFilingView,
} from './tax-filing.entity.js';
import { TaxFilingNotFound } from './tax.errors.js';
import { READ_TAX_FILINGS } from './tax.operations.js';

const RETURN_PLACE = /^(\d{1,9}) (\d{1,9})$/;

/** Reads what was filed with the IRS for the caller's program. */
export class TaxFilingService {
  constructor(private readonly database: Database) {}

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
        const found = await this.database.em().find(TaxFiling, where, { orderBy, ...cursorOptions(window) });
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
    const [rows, total] = await this.database.em().findAndCount(TaxFiling, where, { orderBy, offset, limit });
    return { items: rows.map(viewOf), total };
  }

  /** One filing of the caller's program, or null. */
  async find(caller: Caller, filingId: string): Promise<TaxFilingView | null> {
    caller.require(READ_TAX_FILINGS);
    const id = filingId.toLowerCase();
    if (!UUID_TEXT.test(id)) return null;
    const found = await this.database.em().findOne(TaxFiling, { filingId: id, program: caller.program });
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
const MAX_FILES = 5000;

/** The currency of returns. */
const CURRENCY = 'USD';

function selected({ program }: Caller, taxYear: number | null) {
  return { program, ...(taxYear !== null && { taxYear }) };
}

function viewOf(filing: TaxFiling): TaxFilingView {
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
