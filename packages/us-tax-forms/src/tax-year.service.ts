import { raw } from '@mikro-orm/core';
import {
  positionOf,
  sliceOf,
  windowOf,
  type Caller,
  type CursorRequest,
  type Database,
  type Listing,
  type Page,
  type PageRequest,
  Statement,
} from 'tillgate/noun';
import { taxDaysOf } from './tax-days.js';
import { TaxFiling, TaxFilingForm, type TaxFilingState } from './tax-filing.entity.js';
import {
  MAX_COUNTED,
  type TaxPayee,
  type TaxPayeeList,
  type TaxStep,
  type TaxStepCode,
  type TaxYear,
} from './tax-year.entity.js';
import { countPayees, placeOf, readPayees } from './tax-payees.js';
import { READ_TAX_FILINGS } from './tax.operations.js';

const PLACE = /^[01] [0-9a-f-]{36} .*$/;

/** Tells what a payer of interest must do for a tax year, and about whom. */
export class TaxYearService {
  constructor(private readonly database: Database) {}

  async get(caller: Caller, taxYear: number): Promise<TaxYear> {
    caller.require(READ_TAX_FILINGS);
    const { program } = caller;
    const [{ forms, correctedForms }, returns, filings, ...lists] = await Promise.all([
      this.formsOf(program, taxYear),
      this.returnsOf(program, taxYear),
      this.database.em().find(TaxFiling, { program, taxYear, isTest: false, state: { $ne: 'REPLACED' } }),
      this.count(program, taxYear, 'POST'),
      this.count(program, taxYear, 'BACKUP_WITHHOLDING'),
      this.count(program, taxYear, 'FORM_1042_S'),
      this.count(program, taxYear, 'CORRECTIONS'),
      this.count(program, taxYear, 'NOT_FILED'),
    ]);
    const states = filings.map(({ state }) => state);
    return { taxYear, forms, correctedForms, returns, steps: stepsOf(taxYear, forms, states, lists) };
  }

  /** Customers of a list by cursor, by their ids. Throws `InvalidInput`. */
  payees(caller: Caller, taxYear: number, list: TaxPayeeList, request: CursorRequest): Listing<TaxPayee> {
    caller.require(READ_TAX_FILINGS);
    const of = { program: caller.program, taxYear, list };
    const window = windowOf(request, (cursor, pointer) => positionOf(cursor, PLACE, pointer));
    return {
      page: async () => {
        const rows = await readPayees(this.database, of, { ...window, limit: window.limit + 1 });
        return sliceOf<TaxPayee>(rows, window, placeOf);
      },
      total: () => countPayees(this.database, of),
    };
  }

  /** A page by offset of a list. */
  async payeePage(
    caller: Caller,
    taxYear: number,
    list: TaxPayeeList,
    { offset, limit }: PageRequest,
  ): Promise<Page<TaxPayee>> {
    caller.require(READ_TAX_FILINGS);
    const of = { program: caller.program, taxYear, list };
    const part = { after: null, before: null, skip: offset, limit, fromEnd: false };
    const [items, total] = await Promise.all([readPayees(this.database, of, part), countPayees(this.database, of)]);
    return { items, total };
  }

  /** A million forms would take longer to count than a request may. */
  private count(program: string, taxYear: number, list: TaxPayeeList): Promise<number> {
    return countPayees(this.database, { program, taxYear, list }, MAX_COUNTED);
  }

  private async formsOf(program: string, taxYear: number): Promise<{ forms: number; correctedForms: number }> {
    const counts = raw('count(*) AS "all", count(corrects_statement_id) AS corrections');
    const which = { program, documentType: 'TAX_1099', source: 'PLATFORM', statementDate: `${taxYear}-12-31` } as const;
    const { all, corrections } = await this.database
      .em()
      .createQueryBuilder(Statement, 's')
      .select(counts)
      .where(which)
      .execute<{ all: string; corrections: string }>('get');
    return { forms: Number(all) - Number(corrections), correctedForms: Number(corrections) };
  }

  private async returnsOf(program: string, taxYear: number): Promise<{ state: TaxFilingState; returns: number }[]> {
    const em = this.database.em();
    const filings = (which: object) => ({
      filingId: {
        $in: em
          .createQueryBuilder(TaxFiling, 't')
          .select('filingId')
          .where({ isTest: false, ...which }),
      },
    });
    const rows = await em
      .createQueryBuilder(TaxFilingForm, 'f')
      .select(['state', raw('count(*) AS returns')])
      // An accepted file of a filing whose other files were replaced stays accepted.
      .where({
        program,
        taxYear,
        $or: [filings({ state: { $ne: 'REPLACED' } }), { state: { $in: [...ACCEPTED] }, ...filings({}) }],
      })
      .groupBy('state')
      .orderBy({ state: 'asc' })
      .execute<{ state: TaxFilingState; returns: string }[]>();
    return rows.map(({ state, returns }) => ({ state, returns: Number(returns) }));
  }
}

const ACCEPTED: readonly TaxFilingState[] = ['ACCEPTED', 'ACCEPTED_WITH_ERRORS'];

/** The steps of a year that apply, from what is known of it. */
function stepsOf(
  taxYear: number,
  forms: number,
  states: readonly TaxFilingState[],
  [toPost = 0, uncertified = 0, foreign = 0, toCorrect = 0, unfiled = 0]: readonly number[],
): TaxStep[] {
  const { recipients, form1042S, irs } = taxDaysOf(taxYear);
  const has = (...some: TaxFilingState[]) => states.some(state => some.includes(state));
  const isWritten = has('EXPORTED', 'SENT', 'REJECTED', ...ACCEPTED);
  const step = (code: TaxStepCode, dueOn: string | null, isDone: boolean, count: number | null = null): TaxStep => ({
    code,
    dueOn,
    isDone,
    count,
  });
  return [
    step('ISSUE', recipients, forms > 0, forms),
    ...(toPost > 0 ? [step('POST', recipients, false, toPost)] : []),
    step('FILE', irs, isWritten),
    step('SEND', irs, isWritten && !has('EXPORTED', 'SENT')),
    ...(has('REJECTED') ? [step('REPLACE', irs, false)] : []),
    ...(unfiled > 0 ? [step('NOT_FILED', irs, false, unfiled)] : []),
    ...(toCorrect > 0 ? [step('CORRECT', null, false, toCorrect)] : []),
    ...(uncertified > 0 ? [step('WITHHOLD', null, false, uncertified)] : []),
    ...(foreign > 0 ? [step('FORM_1042_S', form1042S, false, foreign)] : []),
  ];
}
