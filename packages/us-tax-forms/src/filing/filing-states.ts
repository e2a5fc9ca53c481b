import { PROGRAMS, gatewayCaller, inTransaction, recording, type Database } from 'tillgate/noun';
import { TaxFiling, type TaxFilingRead } from '../tax-filing.entity.js';
import { CHANGE_TAX_FILING } from '../tax.events.js';

/** The facts of a filing besides its state once its files are written. */
type FilingFacts = Partial<
  Pick<TaxFiling, 'forms' | 'interestMinor' | 'penaltyMinor' | 'withheldMinor' | 'stateWithheldMinor'>
>;

/**
 * Says that a draft is written, behind the lock of its program. Where another order has replaced it meanwhile it stays
 * replaced: its files must not be sent.
 */
export function finishDraft(
  database: Database,
  { filingId, program, taxYear, kind, isTest }: TaxFilingRead,
  facts: FilingFacts,
): Promise<void> {
  return inTransaction(database, async transaction => {
    const by = gatewayCaller(program, 'tax');
    await PROGRAMS.lock(transaction, [{ caller: by, accountId: '' }], true);
    const state = 'EXPORTED';
    const changed = await database
      .em(transaction)
      .nativeUpdate(TaxFiling, { filingId, state: 'DRAFT' }, { ...facts, state, changedAt: new Date() });
    if (changed === 0) return;
    const data = { taxYear, kind, state, isTest };
    await transaction.runAll(
      recording([{ by, action: CHANGE_TAX_FILING, accountId: null, object: `tax_filing/${filingId}`, data }]),
    );
  });
}
