import { Account } from '../../account/account.entity.js';
import { findDocumentsDue, type Sources } from '../issue/documents-due.js';
import { addTo, countsOf, none } from '../issue/issue-counts.js';
import { MAX_LEFT_OUT_TOLD } from '../issue/issue-run.js';
import { Issuers } from '../issue/issuers.js';
import type { RunIssuers } from '../issue/issuer-rules.js';
import type { AccountLeftOut, LeftOutCode } from '../issue/left-out.js';
import type { Period } from '../issue/period.js';
import type { DocumentType } from '../statement.entity.js';
import type { AccountLeftOutView, RunView } from './statement-runs.js';

/** The most accounts that a preview looks at. */
export const MAX_PREVIEWED = 1000;
const ACCOUNTS_AT_ONCE = 100;

/** The documents that a run would issue, as the ledger is now. */
export interface RunPreview {
  /** The number of accounts that were looked at. */
  readonly accounts: number;
  readonly isComplete: boolean;
  readonly issued: number;
  readonly corrected: number;
  readonly notOverYet: number;
  readonly leftOutCount: number;
  readonly notDueCount: number;
  readonly reasons: readonly { readonly reason: string; readonly accounts: number }[];
  readonly leftOut: readonly AccountLeftOutView[];
}

/** A run that was started, or what it would do. */
export interface RunStart {
  /** null for a dry run. */
  readonly run: RunView | null;
  /** The number of accounts that the run is for. */
  readonly accounts: number;
  /** null unless it is a dry run. */
  readonly preview: (RunPreview & { readonly waits: boolean }) | null;
}

/** The documents and the accounts that a preview is about. */
export interface PreviewOrder {
  readonly program: string;
  readonly issuers: RunIssuers;
  readonly documentType: DocumentType;
  readonly period: Period;
  readonly issueIncomplete: boolean;
  /** These alone, or null for all of the program. */
  readonly accountIds: readonly string[] | null;
}

/**
 * Finds the documents that the first accounts of a program are due, a hundred accounts at a time, as the jobs of a run
 * do. It writes nothing and locks nothing: each hundred is read by statements of its own, and commands of the program go
 * on meanwhile. So what is posted or completed in between may change what the run issues. Whether a form has letters
 * that no font has is seen only when it is drawn, and does not count here.
 */
export async function previewOf(sources: Omit<Sources, 'issuers'>, order: PreviewOrder): Promise<RunPreview> {
  const { program, documentType, period, issueIncomplete, accountIds } = order;
  const em = sources.database.primary();
  const issuers = new Issuers(order.issuers);
  const total = none();
  const leftOut: AccountLeftOut[] = [];
  const named = accountIds && { $in: [...accountIds] };
  let last = '';
  let isComplete = false;
  for (let seen = 0; seen < MAX_PREVIEWED && !isComplete; seen += ACCOUNTS_AT_ONCE) {
    const found = await em.find(
      Account,
      { program, accountId: { $gt: last, ...named } },
      // One more says whether there are others behind them.
      { fields: ['accountId'], orderBy: { accountId: 'asc' }, limit: ACCOUNTS_AT_ONCE + 1 },
    );
    isComplete = found.length <= ACCOUNTS_AT_ONCE;
    const only = found.slice(0, ACCOUNTS_AT_ONCE).map(({ accountId }) => accountId);
    const [from] = only;
    if (from === undefined) break;
    last = only.at(-1) ?? from;
    const batch = { from, to: last, programs: [program], only, documentType, issueIncomplete, period };
    const due = await findDocumentsDue({ ...sources, issuers }, batch);
    addTo(total, countsOf(due).get(program) ?? none());
    leftOut.push(...due.leftOut);
  }
  const { done, issued, corrected, early } = total;
  return {
    accounts: done,
    isComplete,
    issued,
    corrected,
    notOverYet: early,
    leftOutCount: leftOut.length,
    notDueCount: done - issued - corrected - early - leftOut.length,
    reasons: reasonCounts(leftOut.flatMap(({ reasons }) => reasons)),
    leftOut: leftOut
      .slice(0, MAX_LEFT_OUT_TOLD)
      .map(({ accountId, reasons }) => ({ accountId, reasons: reasons.map(reason => reason.toUpperCase()) })),
  };
}

/** The number of accounts by reason, the most frequent reason first. */
function reasonCounts(codes: readonly LeftOutCode[]): RunPreview['reasons'] {
  const counts = Array.from(
    Map.groupBy(codes, code => code),
    ([code, all]) => ({
      reason: code.toUpperCase(),
      accounts: all.length,
    }),
  );
  return counts.toSorted((one, other) => other.accounts - one.accounts);
}
