import type { Gateway } from '../../../src/app/gateway.js';
import { Report } from '../../../src/platform/report/report.js';
import { acknowledge, type AcknowledgedFiling } from '../src/filing/acknowledge.js';
import { readAcknowledgement } from '../src/filing/acknowledgement.js';
import { fileReturns } from '../src/filing/file-returns.js';
import { filingOrder } from '../src/filing/filing-order.js';
import { finishDraft, startFilings } from '../src/filing/filing-states.js';
import type { TaxFiling } from '../src/tax-filing.entity.js';

/** Files what is due, with these limits of a file, and gives the exit status and what was told. */
export async function file({ container }: Gateway, ordered: Parameters<typeof filingOrder>[1], limits: object) {
  const order = await filingOrder(container, ordered);
  const format = { ...order.format, limits: { ...order.format.limits, ...limits } };
  let told = '';
  const report = new Report({ write: (text: string) => (told += text) }, true);
  const stop = new AbortController().signal;
  const status = await fileReturns({ ...order, format, taxForms: container.taxForms, report, stop });
  return { status, told };
}

/** Takes the file with an answer of the IRS. */
export async function acknowledged({ container }: Gateway, path: string): Promise<AcknowledgedFiling> {
  return acknowledge(container.database, await readAcknowledgement(path));
}

/** Begins to file twice, ends both, and gives the ids and what the earlier one was told. */
export async function fileTwice({ container: { database } }: Gateway, of: Parameters<typeof startFilings>[1]) {
  const begun = async () => (await startFilings(database, of, 'XML')).drafts.at(-1) as TaxFiling;
  const [earlier, later] = [await begun(), await begun()];
  const failure = await finishDraft(database, earlier, { forms: 1 }).then(
    () => null,
    (error: Error) => error.message,
  );
  await finishDraft(database, later, { forms: 1 });
  return { earlier: earlier.filingId, later: later.filingId, failure };
}
