import { UUID_TEXT, UsageError, inTransaction, type Database, type Report, type SqlTransaction } from 'tillgate/noun';
import { TaxFiling, TaxFilingForm, TaxTransmission, type TaxFilingState } from '../tax-filing.entity.js';
import type { Acknowledgement } from './acknowledgement.js';
import { changeState, lockProgram } from './filing-states.js';

/** The outcome of a filing, and of the returns in the file that was answered. */
export interface AcknowledgedFiling {
  readonly filingId: string;
  readonly part: number;
  readonly state: TaxFilingState;
  readonly forms: number;
  /** The returns with errors, by their accounts. */
  readonly withErrors: readonly Pick<TaxFilingForm, 'accountId' | 'statementId' | 'errors'>[];
}

/** The worst state of a file is that of its filing. */
const ORDER: readonly TaxFilingState[] = ['REJECTED', 'DRAFT', 'EXPORTED', 'SENT', 'ACCEPTED_WITH_ERRORS', 'ACCEPTED'];

/** Keeps what the IRS answered, of the file and of each return in it. Throws `UsageError` for a file of nobody here. */
export function acknowledge(database: Database, answer: Acknowledgement): Promise<AcknowledgedFiling> {
  return inTransaction(database, async transaction => {
    const em = database.em(transaction);
    const { transmissionId, receiptId, state, errors, records } = answer;
    const sent =
      (transmissionId && (await em.findOne(TaxTransmission, { transmissionId }))) ||
      (receiptId && (await em.findOne(TaxTransmission, { receiptId })));
    if (!sent) throw new UsageError('The acknowledgement names no transmission that was made here.');
    const { filingId, part } = sent;
    await lockProgram(transaction, (await em.findOneOrFail(TaxFiling, { filingId })).program);
    const filing = await em.findOneOrFail(TaxFiling, { filingId }, { refresh: true });
    if (filing.state === 'REPLACED') throw new UsageError('The filing that it answers was replaced by another one.');
    const facts = { state, receiptId: receiptId ?? sent.receiptId, errors };
    await em.nativeUpdate(TaxTransmission, { filingId, part }, facts);
    const ofReturns = state === 'ACCEPTED_WITH_ERRORS' ? 'ACCEPTED' : state;
    await em.nativeUpdate(TaxFilingForm, { filingId, part }, { state: ofReturns, errors: [] });
    for (const [recordId, found] of records) {
      if (found.length === 0) continue;
      const stateOfReturn = state === 'REJECTED' ? 'REJECTED' : 'ACCEPTED_WITH_ERRORS';
      await em.nativeUpdate(TaxFilingForm, { filingId, part, recordId }, { state: stateOfReturn, errors: found });
    }
    const stateOfFiling = await settle(database, transaction, filing);
    const withErrors = await em.find(
      TaxFilingForm,
      { filingId, part, recordId: { $in: [...records].flatMap(([id, found]) => (found.length > 0 ? id : [])) } },
      { orderBy: { recordId: 'asc' } },
    );
    return { filingId, part, state: stateOfFiling, forms: sent.forms, withErrors };
  });
}

/** The state of a filing from those of its files. What it replaces is replaced once it is on its way. */
async function settle(database: Database, transaction: SqlTransaction, filing: TaxFiling): Promise<TaxFilingState> {
  const { filingId, replaces } = filing;
  const em = database.em(transaction);
  const parts = await em.find(TaxTransmission, { filingId }, { fields: ['state'], refresh: true });
  const state = ORDER.find(one => parts.some(part => part.state === one)) ?? 'EXPORTED';
  if (state !== filing.state) await changeState(database, transaction, [filing], state);
  const replaced =
    replaces === null ? [] : await em.find(TaxFiling, { filingId: replaces, state: { $ne: 'REPLACED' } });
  if (replaced.length > 0) await changeState(database, transaction, replaced, 'REPLACED');
  return state;
}

/** Keeps what the portal said of all files of a filing. Throws `UsageError` for a filing of nobody. */
export async function acknowledgeFiling(
  database: Database,
  filingId: string,
  state: TaxFilingState,
  receiptId: string | null,
): Promise<AcknowledgedFiling> {
  const id = filingId.toLowerCase();
  const parts = UUID_TEXT.test(id)
    ? await database.primary().find(TaxTransmission, { filingId: id }, { orderBy: { part: 'asc' } })
    : [];
  let answered: AcknowledgedFiling | null = null;
  for (const { transmissionId } of parts) {
    answered = await acknowledge(database, { transmissionId, receiptId, state, errors: [], records: new Map() });
  }
  if (!answered) throw new UsageError('--filing names no filing with files. List them with the API or in the console.');
  return { ...answered, forms: parts.reduce((sum, { forms }) => sum + forms, 0) };
}

/** The number of returns with errors that are told. All of them are kept. */
const MAX_TOLD = 100;

/** Tells what became of a filing, and what is to do. Gives the exit status. */
export function tellAnswer(report: Report, { filingId, part, state, forms, withErrors }: AcknowledgedFiling): number {
  report.line(`filing ${filingId}, file ${part}: ${state.toLowerCase().replaceAll('_', ' ')}, ${forms} forms`);
  const listed = withErrors.slice(0, MAX_TOLD).map(({ accountId, statementId, errors }) => {
    return { accountId, statementId, errors: errors.map(({ code, message }) => ({ code, message })) };
  });
  for (const { accountId, errors } of listed) {
    for (const { code, message } of errors) report.line(`to correct: ${accountId}: ${code}: ${message}`);
  }
  if (state === 'REJECTED') report.line('to replace: run tillgate tax file again once the reason is removed');
  report.result({ filingId, part, state, forms, withErrors: listed });
  return state === 'REJECTED' || withErrors.length > 0 ? 1 : 0;
}
