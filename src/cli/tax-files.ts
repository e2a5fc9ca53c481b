import { mkdir, readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Container } from '../app/container.js';
import { gatewayCaller } from '../platform/command/recording.js';
import { readInput } from '../platform/input/read-input.js';
import type { Report } from '../platform/report/report.js';
import { Refusal } from '../shared/errors.js';
import { UUID_TEXT } from '../shared/ids.js';
import { UsageError } from '../shared/usage-error.js';
import { readAcknowledgement } from '../../packages/us-tax-forms/src/filing/acknowledgement.js';
import { UNFILABLE_REASONS } from '../../packages/us-tax-forms/src/iris/returned-form.js';
import type { AcknowledgedFiling, FilingAnswer } from '../../packages/us-tax-forms/src/tax-filing.commands.js';
import { TaxFiling, TaxFilingForm, TaxTransmission } from '../../packages/us-tax-forms/src/tax-filing.entity.js';
import { StartTaxFilingInput } from '../../packages/us-tax-forms/src/tax.inputs.js';
import { START_TAX_FILING } from '../../packages/us-tax-forms/src/tax.operations.js';
import { UnfiledForm } from '../../packages/us-tax-forms/src/unfiled-form.entity.js';
import { writePrivateFile } from './private-file.js';

/** The options of `tillgate tax file`. */
export interface FileOptions {
  readonly year: string;
  readonly program: string;
  readonly transmitter?: string;
  readonly template?: string;
  readonly out: string;
  readonly test?: boolean;
  readonly json?: boolean;
}

type Filed = Pick<Container, 'database' | 'taxFilings'> & { readonly report: Report };
export interface FileReturnsOrder extends Filed {
  readonly program: string;
  readonly order: StartTaxFilingInput;
  readonly folder: string;
  readonly stop: AbortSignal;
}

/** The number of elements of a list that are told. All of them are kept. */
const MAX_TOLD = 100;
const LOOK_EVERY_MS = 100;

/** Reads the order of a filing from files. Throws `UsageError` for what is missing or wrong. */
export async function filingOrder({ year, transmitter, template, test }: FileOptions): Promise<StartTaxFilingInput> {
  const [sender, columns] = [await textOf(transmitter, '--transmitter'), await textOf(template, '--template')];
  const order = { taxYear: Number(year), isTest: test ?? false, template: columns, transmitter: jsonOf(sender) };
  return asUsage(async () => readInput(StartTaxFilingInput, order));
}

/** Files what is due, waits until it is written, and puts the files into a folder. Gives the exit status. */
export async function fileReturns(of: FileReturnsOrder): Promise<number> {
  const { database, taxFilings, program, order, folder, report, stop } = of;
  const { taxYear, isTest = false } = order;
  await mkdir(folder, { recursive: true }).catch(() => {
    throw new UsageError('The folder in --out cannot be made. Check the path and the permissions.');
  });
  const caller = gatewayCaller(program, 'tax', { scopes: START_TAX_FILING.scopes });
  const ids = await asUsage(() => taxFilings.startHere(caller, order));
  const em = database.primary();
  const inOrder = { orderBy: { createdAt: 'asc' }, exclude: ['sealed'], refresh: true } as const;
  for (;;) {
    if (stop.aborted) return 130;
    if ((await em.count(TaxFiling, { filingId: { $in: [...ids] }, state: 'DRAFT' })) === 0) break;
    await sleep(LOOK_EVERY_MS);
  }
  const written = await em.find(TaxFiling, { filingId: { $in: [...ids] } }, inOrder);
  if (written.some(({ state }) => state === 'REPLACED')) {
    throw new UsageError('Another filing of the year was begun since, so this one wrote no files.');
  }
  const replaced = await em.find(TaxFiling, { program, taxYear, isTest, state: 'REPLACED' }, inOrder);
  await removeFiles(folder, replaced);
  const files = await em.find(TaxTransmission, { filingId: { $in: [...ids] } }, { orderBy: { part: 'asc' } });
  for (const { filingId, part } of files) {
    if (stop.aborted) return 130;
    const { fileName, content } = await taxFilings.file(caller, filingId, part);
    await writePrivateFile(join(folder, fileName), content);
  }
  const which = { program, taxYear, isTest };
  const [unfiled, unfilableForms] = await em.findAndCount(UnfiledForm, which, {
    orderBy: { accountId: 'asc' },
    limit: MAX_TOLD,
  });
  const filings = ids
    .flatMap(id => written.filter(({ filingId }) => filingId === id))
    .map(({ filingId, kind, forms }) => ({ filingId, kind, forms }));
  const unfilable = unfiled.map(({ accountId, reason }) => ({ accountId, reason }));
  for (const { kind, forms, filingId } of filings) {
    report.line(`${kind.toLowerCase()}: ${forms} forms, filing ${filingId}`);
  }
  if (filings.length === 0) report.line('nothing is to be filed');
  for (const { accountId, reason } of unfilable) report.line(`not filed: ${accountId}: ${UNFILABLE_REASONS[reason]}`);
  report.result({ filings, unfilable, unfilableForms });
  return unfilableForms > 0 ? 1 : 0;
}

/** Hands over a file with an answer of the IRS. Gives the exit status. */
export async function acknowledgeFile(of: Filed, path: string): Promise<number> {
  const content = await readFile(path).catch(() => {
    throw new UsageError('The file cannot be opened. Check the path and the permissions.');
  });
  const answer = await asUsage(async () => readAcknowledgement(content, ''));
  const { transmissionId, receiptId } = answer;
  const em = of.database.primary();
  const sent =
    (transmissionId && (await em.findOne(TaxTransmission, { transmissionId }))) ||
    (receiptId && (await em.findOne(TaxTransmission, { receiptId })));
  if (!sent) throw new UsageError('The acknowledgement names no transmission that was made here.');
  return answered(of, sent.filingId, answer);
}

/** Says what the portal answered to all files of a filing. Gives the exit status. */
export function markFiling(
  of: Filed,
  id: string,
  state: 'SENT' | 'ACCEPTED' | 'REJECTED',
  receiptId: string | null,
): Promise<number> {
  const filingId = id.toLowerCase();
  return answered(of, filingId, { filingId, transmissionId: null, receiptId, state, errors: [], records: [] });
}

async function answered(
  { database, taxFilings, report }: Filed,
  filingId: string,
  answer: FilingAnswer,
): Promise<number> {
  const em = database.primary();
  const filing = UUID_TEXT.test(filingId) ? await em.findOne(TaxFiling, { filingId }, { fields: ['program'] }) : null;
  if (!filing) throw new UsageError('--filing names no filing with files. List them with the API or in the console.');
  const caller = gatewayCaller(filing.program, 'tax', { scopes: START_TAX_FILING.scopes });
  return tellAnswer(database, report, await asUsage(() => taxFilings.answer(caller, answer)));
}

/** Tells what became of a filing, and what is to do. Gives the exit status. */
async function tellAnswer(
  database: Filed['database'],
  report: Report,
  { filingId, parts, state }: AcknowledgedFiling,
): Promise<number> {
  const em = database.primary();
  const which = { filingId, part: { $in: [...parts] } };
  const [forms, found] = await Promise.all([
    em.count(TaxFilingForm, which),
    em.find(
      TaxFilingForm,
      { ...which, state: { $in: ['ACCEPTED_WITH_ERRORS', 'REJECTED'] } },
      { orderBy: { part: 'asc', recordId: 'asc' }, limit: MAX_TOLD },
    ),
  ]);
  const [part = 1] = parts;
  const withErrors = found
    .filter(({ errors }) => errors.length > 0)
    .map(({ accountId, statementId, errors }) => ({
      accountId,
      statementId,
      errors: errors.map(({ code, message }) => ({ code, message })),
    }));
  report.line(`filing ${filingId}, file ${part}: ${state.toLowerCase().replaceAll('_', ' ')}, ${forms} forms`);
  for (const { accountId, errors } of withErrors) {
    for (const { code, message } of errors) report.line(`to correct: ${accountId}: ${code}: ${message}`);
  }
  if (state === 'REJECTED') report.line('to replace: run tillgate tax file again once the reason is removed');
  report.result({ filingId, part, state, forms, withErrors });
  return state === 'REJECTED' || withErrors.length > 0 ? 1 : 0;
}

/** Removes the files of filings whose place others took, complete or not: nobody may send them. */
async function removeFiles(
  folder: string,
  filings: readonly Pick<TaxFiling, 'taxYear' | 'kind' | 'filingId'>[],
): Promise<void> {
  const starts = filings.map(
    ({ taxYear, kind, filingId }) => `1099-int-${taxYear}-${kind.toLowerCase()}-${filingId.slice(0, 8)}-`,
  );
  for (const name of await readdir(folder)) {
    if (starts.some(start => name.startsWith(start))) await rm(join(folder, name));
  }
}

async function textOf(path: string | undefined, option: string): Promise<string | null> {
  if (path === undefined) return null;
  return readFile(path, 'utf8').catch(() => {
    throw new UsageError(`The file in ${option} cannot be read. Check the path and the permissions.`);
  });
}

function jsonOf(content: string | null): unknown {
  try {
    return content === null ? null : JSON.parse(content);
  } catch {
    throw new UsageError('The file in --transmitter must be JSON in UTF-8.');
  }
}

/** Does what a refusal of the input or of the state makes wrong usage, with all that is wrong. */
async function asUsage<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const problems = (error.errors ?? []).map(({ pointer, detail }) => `${pointer.slice(1)}: ${detail}`);
    throw new UsageError(problems.length > 0 ? problems.join('\n') : error.message);
  }
}
