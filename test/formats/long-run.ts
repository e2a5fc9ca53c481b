import 'reflect-metadata';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { validateXML, type XMLFileInfo } from 'xmllint-wasm';
import { run } from '../cli/command-line.js';
import { startGatewayInside, type GatewayInThisProcess } from '../support/gateway-inside.js';
import globalSetup from '../support/global-setup.js';
import globalTeardown from '../support/global-teardown.js';
import { freshDatabase } from '../support/postgres.js';
import { issue } from '../statement/issue/issuing.js';
import { FORMATS, difference, ledgerOf } from './ledger.js';
import { inventAccounts } from './invented.js';
import { problemsOfReturns } from './iris-xsd.js';
import { measureStreams } from './streams.js';

/**
 * Exports many statements and the same days from the ledger in every format, each twice: they must be equal to the
 * ledger to the last digit, and the same bytes. Then streams 100,000 transactions. With `--xsd FILE`,
 * camt.053.001.08.xsd of ISO 20022, every camt.053 is validated; with `--data FOLDER`, the accounts are those of its
 * customers.ndjson.gz, accounts.ndjson.gz and transactions.ndjson.gz, and `--month` is the month of the statements.
 * With `--iris-xsd FOLDER --iris-xml FILE` it does nothing else than validate a file of returns with the schema of the
 * IRS.
 */
const { values: given } = parseArgs({
  options: {
    xsd: { type: 'string' },
    data: { type: 'string' },
    month: { type: 'string', default: '2024-03' },
    statements: { type: 'string', default: '1000' },
    'iris-xsd': { type: 'string' },
    'iris-xml': { type: 'string' },
  },
});

const PROGRAM = 'harbor';
const FIELD_KEYS = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
const TOLD_EVERY = 100;
const VALIDATED_AT_ONCE = 50;
const MEMORY_PAGES = 4096;

const tell = (line: string) => void process.stdout.write(`${new Date().toISOString()} ${line}\n`);
const count = Number(given.statements);
const { month } = given;
const days = [`${month}-01`, lastDayOf(month)] as const;

const { 'iris-xsd': irisSchema, 'iris-xml': irisFile } = given;
if (irisSchema !== undefined && irisFile !== undefined) {
  const problems = await problemsOfReturns(irisSchema, irisFile);
  for (const problem of problems.slice(0, 100)) tell(problem);
  tell(`${problems.length} problems by the schema of the IRS`);
  process.exit(problems.length > 0 ? 1 : 0);
}

await globalSetup();
const database = await freshDatabase();
const folder = await mkdtemp(join(tmpdir(), 'tillgate-formats-'));
const env = { DATABASE_URL: database.url, DATA_DIR: folder, FIELD_KEYS };
const gateway = await startGatewayInside({ databaseUrl: database.url, fieldKeys: FIELD_KEYS });
try {
  for (const [kind, file] of await filesOf(given.data)) await importFile(kind, file);
  tell('the accounts are there');
  const { issued, leftOut } = await issue(gateway, 'close', month, PROGRAM);
  tell(`${issued} statements of ${month} issued, ${leftOut} left out`);
  const wrong = await compareAll(gateway);
  tell(`${wrong} differences`);
  if (wrong > 0) process.exitCode = 1;
  await measureStreams(gateway, env, tell);
} finally {
  await gateway.stop();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
  await globalTeardown();
}

/** The files to import, in their order; invented ones if there are no others. */
async function filesOf(data: string | undefined): Promise<[kind: string, file: string][]> {
  if (data !== undefined) {
    return ['customers', 'accounts', 'transactions'].map(kind => [kind, join(data, `${kind}.ndjson.gz`)]);
  }
  const invented = Object.entries(inventAccounts(count, month));
  return Promise.all(
    invented.map(async ([kind, records]): Promise<[string, string]> => {
      const file = join(folder, `${kind}.ndjson`);
      await writeFile(file, records.map(record => `${JSON.stringify(record)}\n`).join(''));
      return [kind, file];
    }),
  );
}

async function importFile(kind: string, file: string): Promise<void> {
  const { status, stdout, stderr } = await run(['import', kind, file, '--program', PROGRAM], env);
  if (status !== 0) throw new Error(stdout + stderr);
  tell(stdout.trim());
}

async function compareAll(of: GatewayInThisProcess): Promise<number> {
  const caller = await of.caller({ program: PROGRAM });
  const { rows } = await of.sql.query<{ account: string; statement: string }>(
    `SELECT account_id AS account, statement_id AS statement FROM statement WHERE statement_date = $1 ORDER BY account_id LIMIT $2`,
    [days[1], count],
  );
  const { rest } = of.as(caller);
  const documents: XMLFileInfo[] = [];
  const totals = { files: 0, bytes: 0, entries: 0 };
  let wrong = 0;
  const differs = (what: string, why: string | null): void => {
    if (why === null) return;
    wrong += 1;
    if (wrong <= 10) tell(`${what}: ${why}`);
  };
  for (const [index, { account, statement }] of rows.entries()) {
    const ledger = await ledgerOf(of.sql, account, days);
    totals.entries += ledger.entries.length;
    const id = encodeURIComponent(account);
    for (const format of FORMATS) {
      for (const [path, from] of [
        [`/accounts/${id}/Statements/${statement}?format=${format}`, 'statement'],
        [`/accounts/${id}/transactions?startTime=${days[0]}&endTime=${days[1]}&format=${format}`, 'ledger'],
      ] as const) {
        const [one, other] = [await rest.get(path), await rest.get(path)];
        const what = `${format} of the ${from} of ${account}`;
        if (!one.bytes.equals(other.bytes)) differs(what, 'two exports are different');
        differs(what, one.status === 200 ? difference(format, one.bytes, account, ledger) : one.text);
        if (format === 'camt.053') documents.push({ fileName: `${index}-${from}.xml`, contents: one.text });
        totals.files += 1;
        totals.bytes += one.bytes.length;
      }
    }
    const done = index + 1;
    if (done % TOLD_EVERY === 0) tell(`${done} statements compared: ${JSON.stringify({ ...totals, wrong })}`);
  }
  return wrong + (await invalid(documents));
}

async function invalid(documents: readonly XMLFileInfo[]): Promise<number> {
  if (given.xsd === undefined) return 0;
  const schema = await readFile(given.xsd, 'utf8');
  let found = 0;
  for (let at = 0; at < documents.length; at += VALIDATED_AT_ONCE) {
    const xml = documents.slice(at, at + VALIDATED_AT_ONCE);
    const { valid, errors } = await validateXML({ xml, schema: [schema], maxMemoryPages: MEMORY_PAGES });
    if (valid) continue;
    found += new Set(errors.map(({ loc }) => loc?.fileName)).size;
    tell(
      errors
        .slice(0, 5)
        .map(({ rawMessage }) => rawMessage)
        .join('\n'),
    );
  }
  tell(`${documents.length} documents validated against the schema, ${found} not valid`);
  return found;
}

function lastDayOf(text: string): string {
  const [year = 0, number = 0] = text.split('-').map(Number);
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
}
