import { randomUUID } from 'node:crypto';
import {
  PROGRAMS,
  UsageError,
  gatewayCaller,
  inTransaction,
  recording,
  type Database,
  type SqlTransaction,
} from 'tillgate/noun';
import {
  TaxFiling,
  TaxTransmission,
  type TaxFilingFormat,
  type TaxFilingKind,
  type TaxFilingState,
} from '../tax-filing.entity.js';
import { CHANGE_TAX_FILING } from '../tax.events.js';
import type { PayerYear } from './due-returns.js';

/** Why a run ends without files: its drafts were replaced. */
export const OVERTAKEN = 'Another run of tillgate tax file has begun since, so this one wrote no files.';
const ACCEPTED: readonly TaxFilingState[] = ['ACCEPTED', 'ACCEPTED_WITH_ERRORS'];

/** The facts of a filing besides its state once its files are written. */
type FilingFacts = Partial<
  Pick<TaxFiling, 'forms' | 'interestMinor' | 'penaltyMinor' | 'withheldMinor' | 'stateWithheldMinor'>
>;

/** Locks the program of a filing until the transaction ends, as each command about the program does. */
export async function lockProgram(transaction: SqlTransaction, program: string): Promise<void> {
  await PROGRAMS.lock(transaction, [{ caller: gatewayCaller(program, 'tax'), accountId: '' }], true);
}

/** Gives filings of one program, which is locked, another state, and records an event of each. */
export async function changeState(
  database: Database,
  transaction: SqlTransaction,
  filings: readonly Pick<TaxFiling, 'filingId' | 'program' | 'taxYear' | 'kind' | 'isTest'>[],
  state: TaxFilingState,
  facts: FilingFacts = {},
): Promise<void> {
  const filingId = { $in: filings.map(filing => filing.filingId) };
  await database.em(transaction).nativeUpdate(TaxFiling, { filingId }, { ...facts, state, changedAt: new Date() });
  const events = filings.map(({ filingId: id, program, taxYear, kind, isTest }) => ({
    by: gatewayCaller(program, 'tax'),
    action: CHANGE_TAX_FILING,
    accountId: null,
    object: `tax_filing/${id}`,
    data: { taxYear, kind, state, isTest },
  }));
  await transaction.runAll(recording(events));
}

/** The filings that a run of `tillgate tax file` works on. */
export interface StartedFilings {
  /** The filing of the year that the IRS rejected, or null. */
  readonly rejected: TaxFiling | null;
  /** Drafts of what is to be filed, in their order. */
  readonly drafts: readonly TaxFiling[];
  /** Filings of the year whose files were never finished, since their runs were stopped or overtaken. */
  readonly unfinished: readonly TaxFiling[];
}

/**
 * Makes the drafts of a run, and replaces what another run has not finished or nobody has sent: of two runs at once the
 * later one goes on. Throws `UsageError` while the IRS has not answered a filing.
 */
export function startFilings(
  database: Database,
  { program, taxYear, isTest }: PayerYear,
  format: TaxFilingFormat,
): Promise<StartedFilings> {
  return inTransaction(database, async transaction => {
    await lockProgram(transaction, program);
    const em = database.em(transaction);
    const open = await em.find(
      TaxFiling,
      { program, taxYear, isTest, state: { $in: ['DRAFT', 'EXPORTED', 'SENT', 'REJECTED'] } },
      { orderBy: { createdAt: 'asc' } },
    );
    const sent = open.find(({ state }) => state === 'SENT');
    if (sent) {
      throw new UsageError(
        `The IRS has not answered filing ${sent.filingId}. Hand over its answer with tillgate tax acknowledge FILE first.`,
      );
    }
    const unsent = open.filter(({ state }) => state !== 'REJECTED');
    if (unsent.length > 0) await changeState(database, transaction, unsent, 'REPLACED');
    const rejected = open.find(({ state }) => state === 'REJECTED') ?? null;
    const filings = await em.find(TaxFiling, { program, taxYear, isTest }, { refresh: true });
    const unfinished = filings.filter(({ state, forms }) => state === 'REPLACED' && forms === 0);
    const filingId = { $in: filings.map(filing => filing.filingId) };
    // Where nothing was accepted there is nothing to correct, and a million forms need not be read twice.
    const mayCorrect = (await em.count(TaxTransmission, { filingId, state: { $in: [...ACCEPTED] } })) > 0;
    const kinds: readonly TaxFilingKind[] = rejected
      ? ['REPLACEMENT']
      : [...(mayCorrect ? ['CORRECTION' as const] : []), 'ORIGINAL'];
    const drafts = kinds.map(kind => ({
      filingId: randomUUID(),
      program,
      taxYear,
      kind,
      format,
      state: 'DRAFT' as const,
      isTest,
      replaces: rejected?.filingId ?? null,
      forms: 0,
      interestMinor: 0n,
      penaltyMinor: 0n,
      withheldMinor: 0n,
      stateWithheldMinor: 0n,
      createdAt: new Date(),
      changedAt: new Date(),
    }));
    await em.insertMany(TaxFiling, drafts);
    return { rejected, drafts: drafts as unknown as TaxFiling[], unfinished };
  });
}

/**
 * Says that the files of a draft are written. Throws `UsageError` where another run has replaced it meanwhile: its
 * files must not be sent.
 */
export function finishDraft(database: Database, draft: TaxFiling, facts: FilingFacts): Promise<void> {
  return inTransaction(database, async transaction => {
    await lockProgram(transaction, draft.program);
    const { filingId } = draft;
    const isDraft = (await database.em(transaction).count(TaxFiling, { filingId, state: 'DRAFT' })) > 0;
    if (!isDraft) throw new UsageError(OVERTAKEN);
    await changeState(database, transaction, [draft], 'EXPORTED', facts);
  });
}
