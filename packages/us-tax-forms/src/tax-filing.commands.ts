import { randomUUID } from 'node:crypto';
import { statementOf } from '../../../lib/pg-wire/statement.js';
import {
  type AcceptedCommand,
  type DeclaredOperation,
  type Draft,
  type EventFacts,
  type ProgramCommands,
  type ProgramRead,
  type ProgramService,
  type SqlQuery,
} from 'tillgate/noun';
import { filingSender } from './filing/filing-sender.js';
import { irisFormatOf } from './iris/iris-format.js';
import type { TaxFiling, TaxFilingError, TaxFilingKind, TaxFilingState } from './tax-filing.entity.js';
import type { AnsweredFiling, AnsweredName, OpenFiling, TaxFilingRepository } from './tax-filing.repository.js';
import { TaxAnswerUnknown, TaxFilingNotCurrent, TaxFilingNotFound, TaxFilingUnanswered } from './tax.errors.js';
import { CHANGE_TAX_FILING } from './tax.events.js';
import type { StartTaxFilingInput } from './tax.inputs.js';
import { ACKNOWLEDGE_TAX_FILING, DOWNLOAD_TAX_FILE, MARK_TAX_FILING, START_TAX_FILING } from './tax.operations.js';

/** The task of the queue that writes what an order files. */
export const FILING_TASK = 'tax_filing_write';
const MAX_ATTEMPTS = 10;

/** The answer of the IRS to files of one filing. */
export interface FilingAnswer extends AnsweredName {
  readonly state: TaxFilingState;
  /** The errors of the file as a whole. */
  readonly errors: readonly TaxFilingError[];
  /** The errors of returns, by their record ids. */
  readonly records: readonly (readonly [recordId: number, errors: readonly TaxFilingError[]])[];
}

/** The ids of the filings that an order has made, in their order. */
export interface StartedFilings {
  readonly filingIds: readonly string[];
}
interface StartFacts {
  readonly filings: readonly OpenFiling[];
  readonly record: ProgramRead | null;
}
type ChangedFiling = Pick<TaxFiling, 'filingId' | 'kind' | 'state'>;
interface StartDraft {
  readonly drafts: readonly Draft[];
  /** The filings whose place others take, and the new ones. */
  readonly changed: readonly ChangedFiling[];
}

/** The files that were answered, and the state of their filing then. */
export interface AcknowledgedFiling {
  readonly filingId: string;
  readonly parts: readonly number[];
  readonly state: TaxFilingState;
}
interface NamedFile {
  readonly filingId: string;
  readonly part: number;
}

/** The worst state of a file is that of its filing. */
const ORDER: readonly TaxFilingState[] = ['REJECTED', 'EXPORTED', 'SENT', 'ACCEPTED_WITH_ERRORS', 'ACCEPTED'];

// Sets of rows, which MikroORM would write one by one.
const CHANGE_STATE = statementOf(
  `UPDATE tax_filing f SET state = k.state, changed_at = now()
   FROM unnest($1::uuid[], $2::text[]) k(filing_id, state) WHERE f.filing_id = k.filing_id`,
);
const ANSWER_FILES = statementOf(
  `UPDATE tax_transmission SET state = $3, receipt_id = coalesce($4, receipt_id), errors = $5::jsonb
   WHERE filing_id = $1 AND part = ANY($2::int[])`,
);
const ANSWER_RETURNS = statementOf(
  `UPDATE tax_filing_form f SET state = CASE WHEN e.errors IS NULL THEN $3 ELSE $4 END, errors = coalesce(e.errors, '[]')
   FROM tax_filing_form o LEFT JOIN jsonb_to_recordset($5::jsonb) e(record_id int, errors jsonb) ON e.record_id = o.record_id
   WHERE o.filing_id = $1 AND o.part = ANY($2::int[]) AND f.filing_id = o.filing_id AND f.part = o.part AND f.record_id = o.record_id`,
);
// Jobs are no entities: they are of the queue.
const ENQUEUE = statementOf(`SELECT graphile_worker.add_job($1, $2::json, max_attempts => ${MAX_ATTEMPTS})::text`);

/** The commands about filings with the IRS. */
export class TaxFilingCommands {
  constructor(
    private readonly repository: TaxFilingRepository,
    private readonly commands: ProgramCommands,
    private readonly programs: ProgramService,
  ) {}

  readonly start = this.starting(START_TAX_FILING);
  /** For the command line, whose user nobody approves. */
  readonly startHere = this.starting({ ...START_TAX_FILING, mayWait: false });

  readonly acknowledge = this.answering(ACKNOWLEDGE_TAX_FILING);
  readonly mark = this.answering(MARK_TAX_FILING);

  /** Records that somebody fetches a file, which has whole tax ids. Each time counts. */
  readonly download = this.commands.command<NamedFile, AnsweredFiling | null, NamedFile, null>(DOWNLOAD_TAX_FILE, {
    repeats: true,
    readFacts: (transaction, requests) =>
      Promise.all(
        requests.map(({ caller, input: { filingId } }) =>
          this.repository.answered(transaction, caller.program, { filingId, transmissionId: null, receiptId: null }),
        ),
      ),
    permit: (_program, found, { input }) => {
      if (!found?.parts.some(({ part }) => part === input.part)) throw new TaxFilingNotFound();
      if (found.filing.state === 'DRAFT' || found.filing.state === 'REPLACED') throw new TaxFilingNotCurrent();
      return { result: { filingId: found.filing.filingId, part: input.part }, draft: null };
    },
    write: () => [],
    event: ({ result: { filingId, part } }) => ({ object: `tax_filing/${filingId}`, data: { part } }),
  });

  private answering(operation: DeclaredOperation) {
    return this.commands.command<FilingAnswer, AnsweredFiling | null, AcknowledgedFiling, null>(operation, {
      readFacts: (transaction, requests) =>
        Promise.all(requests.map(({ caller, input }) => this.repository.answered(transaction, caller.program, input))),
      permit: (_program, found, { input }) => {
        if (!found) throw input.filingId === null ? new TaxAnswerUnknown() : new TaxFilingNotFound();
        const { filing, parts } = found;
        if (filing.state === 'DRAFT' || filing.state === 'REPLACED') throw new TaxFilingNotCurrent();
        const states = parts.map(({ state, isAnswered }) => (isAnswered ? input.state : state));
        const state = ORDER.find(one => states.includes(one)) ?? filing.state;
        const answered = parts.flatMap(({ part, isAnswered }) => (isAnswered ? part : []));
        return { result: { filingId: filing.filingId, parts: answered, state }, draft: null };
      },
      write: accepted => accepted.flatMap(writingAnswer),
      event: ({ fact, result }) =>
        fact ? changedFilings(fact, result.state).map(filing => changeOf(filing, fact.filing)) : null,
    });
  }

  private starting(operation: DeclaredOperation) {
    return this.commands.command<StartTaxFilingInput, StartFacts, StartedFilings, StartDraft>(operation, {
      readFacts: async (transaction, requests) => {
        const [records, ...filings] = await Promise.all([
          this.programs.repository.each(
            transaction,
            requests.map(({ caller }) => [caller.program]),
          ),
          ...requests.map(({ caller, input: { taxYear, isTest = false } }) =>
            this.repository.ofYear(transaction, caller.program, taxYear, isTest),
          ),
        ]);
        return filings.map((found, index) => ({ filings: found, record: records[index] ?? null }));
      },
      permit: (program, { filings, record }, { input }) => {
        const sender = filingSender(irisFormatOf(input.taxYear), record, input);
        const sent = filings.find(({ state }) => state === 'SENT');
        if (sent) throw new TaxFilingUnanswered(sent.filingId);
        const rejected = filings.find(({ state }) => state === 'REJECTED');
        const unsent = filings.filter(({ state }) => state === 'DRAFT' || state === 'EXPORTED');
        // Where nothing was accepted there is nothing to correct, and a million forms need not be read twice.
        const mayCorrect = filings.some(({ isAccepted }) => isAccepted);
        const kinds: readonly TaxFilingKind[] = rejected
          ? ['REPLACEMENT']
          : [...(mayCorrect ? ['CORRECTION' as const] : []), 'ORIGINAL'];
        const begun = kinds.map(kind => ({ filingId: randomUUID(), kind, state: 'DRAFT' as const }));
        const drafts = begun.map(filing =>
          this.repository.draft({
            ...filing,
            ...NEW,
            ...orderOf(program, input),
            replaces: rejected?.filingId ?? null,
            sender,
          }),
        );
        const replaced = unsent.map(({ filingId, kind }) => ({ filingId, kind, state: 'REPLACED' as const }));
        return {
          result: { filingIds: begun.map(({ filingId }) => filingId) },
          draft: { drafts, changed: [...replaced, ...begun] },
        };
      },
      write: accepted => [
        changing(accepted.flatMap(({ draft }) => draft.changed.filter(({ state }) => state === 'REPLACED'))),
        this.repository.insertion(accepted.flatMap(({ draft }) => draft.drafts)),
        ...accepted.map(({ result }) => ({ statement: ENQUEUE, values: [FILING_TASK, JSON.stringify(result)] })),
      ],
      event: ({ input: { taxYear, isTest = false }, draft }) =>
        draft.changed.map(filing => changeOf(filing, { taxYear, isTest })),
      ...(operation.mayWait && {
        approval: {
          needs: ({ documents }) => documents,
          // The filings are made when somebody approves them.
          facts: ({ input: { taxYear, isTest = false } }) => ({ object: null, data: { taxYear, isTest } }),
          changes: ({ input: { taxYear, isTest = false, template } }) => [
            { field: 'taxYear', before: null, after: String(taxYear) },
            { field: 'format', before: null, after: template == null ? 'XML' : 'CSV' },
            ...(isTest ? [{ field: 'isTest', before: null, after: 'true' }] : []),
          ],
        },
      }),
    });
  }
}

/** The columns of a filing of which nothing is written yet. */
const NEW = { forms: 0, interestMinor: 0n, penaltyMinor: 0n, withheldMinor: 0n, stateWithheldMinor: 0n };

function orderOf(program: string, { taxYear, isTest = false, template }: StartTaxFilingInput) {
  const now = new Date().toISOString();
  return { program, taxYear, isTest, format: template == null ? 'XML' : 'CSV', createdAt: now, changedAt: now };
}

/** The filings that an answer changes. What the filing replaces is replaced once it is on its way. */
function changedFilings({ filing: { filingId, kind }, replaced }: AnsweredFiling, state: TaxFilingState) {
  return [{ filingId, kind, state }, ...(replaced ? [{ ...replaced, state: 'REPLACED' as const }] : [])];
}

function changing(filings: readonly ChangedFiling[]): SqlQuery {
  return { statement: CHANGE_STATE, values: [filings.map(one => one.filingId), filings.map(one => one.state)] };
}

function writingAnswer({
  input: { state, receiptId, errors, records },
  fact,
  result: { filingId, parts, state: stateOfFiling },
}: AcceptedCommand<FilingAnswer, AnsweredFiling | null, AcknowledgedFiling>): SqlQuery[] {
  if (!fact) return [];
  const found = records
    .filter(([, of]) => of.length > 0)
    .map(([recordId, of]) => ({ record_id: recordId, errors: of }));
  const [ofReturns, withErrors] = [
    state === 'ACCEPTED_WITH_ERRORS' ? 'ACCEPTED' : state,
    state === 'REJECTED' ? 'REJECTED' : 'ACCEPTED_WITH_ERRORS',
  ];
  return [
    { statement: ANSWER_FILES, values: [filingId, parts, state, receiptId, JSON.stringify(errors)] },
    { statement: ANSWER_RETURNS, values: [filingId, parts, ofReturns, withErrors, JSON.stringify(found)] },
    changing(changedFilings(fact, stateOfFiling)),
  ];
}

function changeOf({ filingId, kind, state }: ChangedFiling, of: Pick<TaxFiling, 'taxYear' | 'isTest'>): EventFacts {
  const { taxYear, isTest } = of;
  return { action: CHANGE_TAX_FILING, object: `tax_filing/${filingId}`, data: { taxYear, kind, state, isTest } };
}
