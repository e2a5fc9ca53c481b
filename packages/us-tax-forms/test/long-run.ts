import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { gatewayCaller } from '../../../src/platform/command/recording.js';
import { until } from '../../../test/support/until.js';
import { START_TAX_FILING } from '../src/tax.operations.js';
import type { KeptTaxForm } from '../../../src/bank/statement/statement.content.js';
import { issue, post } from '../../../test/statement/issue/issuing.js';
import { startGatewayInside } from '../../../test/support/gateway-inside.js';
import globalSetup from '../../../test/support/global-setup.js';
import globalTeardown from '../../../test/support/global-teardown.js';
import { freshDatabase } from '../../../test/support/postgres.js';
import { TRANSMITTER, YEAR, afterTheYear } from './bank.js';

/**
 * Files many forms as XML, and tells the time, the largest memory and the sizes of the files, and how long the gateway
 * takes to show the year. One form is issued, and
 * the others are made of it, each sealed under a key of its own: `--forms 1000000`.
 */
const { values: given } = parseArgs({ options: { forms: { type: 'string', default: '1000000' } } });
const forms = Number(given.forms);
const AT_ONCE = 2000;
const MEGABYTE = 1_000_000;
const TELL_EVERY_MS = 20_000;

const tell = (line: string) => void process.stdout.write(`${new Date().toISOString()} ${line}\n`);
const secondsSince = (startedMs: number) => ((performance.now() - startedMs) / 1000).toFixed(0);
const megabytes = (bytes: number) => `${Math.round(bytes / MEGABYTE)} MB`;

await globalSetup();
const database = await freshDatabase();
const gateway = await startGatewayInside({ databaseUrl: database.url });
try {
  const program = gateway.given.program();
  await afterTheYear(gateway, program);
  const template = await gateway.given.account({ program, accountId: 'template' });
  await post(gateway, template, [{ at: `${YEAR}-03-01`, amount: '20.00', type: 'INTEREST' }]);
  await issue(gateway, '1099', String(YEAR), program);
  await multiply();
  tell(`${forms} forms are there`);
  const { taxFilings } = gateway.gateway.container;
  const caller = gatewayCaller(program, 'tax', { scopes: [...START_TAX_FILING.scopes, 'operations.read'] });
  let most = 0;
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 200);
  const progress = setInterval(() => tell(`memory ${megabytes(process.memoryUsage.rss())}`), TELL_EVERY_MS);
  const before = process.memoryUsage.rss();
  const startedMs = performance.now();
  const [filing] = await taxFilings.start(caller, { taxYear: YEAR, transmitter: TRANSMITTER });
  if (!filing) throw new Error('nothing was filed');
  const { filingId } = filing;
  await until(async () => (await taxFilings.get(caller, filingId)).state === 'EXPORTED', Infinity);
  tell(`written after ${secondsSince(startedMs)} s`);
  const sizes: number[] = [];
  for (const { part } of await taxFilings.transmissions(caller, { filingId })) {
    let bytes = 0;
    for await (const content of (await taxFilings.file(caller, filingId, part)).content) bytes += content.length;
    sizes.push(bytes);
  }
  clearInterval(watch);
  clearInterval(progress);
  tell(`${secondsSince(startedMs)} s, memory ${megabytes(before)} before and ${megabytes(most)} at most`);
  tell(`${sizes.length} files, the largest of ${megabytes(Math.max(...sizes))}`);
  await gateway.sql.query('ANALYZE');
  // The token of the beginning has expired by now.
  const { rest } = gateway.as(await gateway.caller({ program }));
  for (const path of ['/tax-years/2026', '/tax-years/2026/payees?list=FORMS', '/tax-filings']) {
    const askedMs = performance.now();
    const { status } = await rest.get(path);
    tell(`GET ${path}: ${status} after ${(performance.now() - askedMs).toFixed(0)} ms`);
  }
} finally {
  await gateway.stop();
  await database.drop();
  await globalTeardown();
}

async function multiply(): Promise<void> {
  const { rows } = await gateway.sql.query(
    `SELECT statement_id, sealed_key, content FROM statement WHERE account_id = 'template'`,
  );
  const [{ statement_id: id, sealed_key: key, content }] = rows as [
    { statement_id: string; sealed_key: Buffer; content: Buffer },
  ];
  const vault = gateway.gateway.container.statementVault;
  const form = JSON.parse(vault.open('template', id, key, 'content', content).toString()) as KeptTaxForm;
  const none = Buffer.from('%PDF');
  for (let from = 1; from < forms; from += AT_ONCE) {
    const ids = Array.from(
      { length: Math.min(AT_ONCE, forms - from) },
      (_, index) => `m${String(from + index).padStart(8, '0')}`,
    );
    const kept = ids.map(accountId => vault.keep(accountId, id, none, JSON.stringify(form)));
    await gateway.sql.query(
      `INSERT INTO account SELECT (jsonb_populate_record(a, jsonb_build_object('account_id', k.id))).*
       FROM unnest($1::text[]) k(id) CROSS JOIN account a WHERE a.account_id = 'template'`,
      [ids],
    );
    await gateway.sql.query(
      `INSERT INTO account_owner SELECT (jsonb_populate_record(o, jsonb_build_object('account_id', k.id))).*
       FROM unnest($1::text[]) k(id) CROSS JOIN account_owner o WHERE o.account_id = 'template'`,
      [ids],
    );
    await gateway.sql.query(
      `INSERT INTO statement (account_id, statement_id, program, document_type, source, statement_date, description, issued_at,
         through_seq, amount_minor, time_zone, size_bytes, sha256, sealed_key, pdf, content)
       SELECT k.id, s.statement_id, s.program, s.document_type, s.source, s.statement_date, s.description, s.issued_at,
         s.through_seq, s.amount_minor, s.time_zone, 4, s.sha256, k.sealed_key, k.pdf, k.content
       FROM unnest($1::text[], $2::bytea[], $3::bytea[], $4::bytea[]) k(id, sealed_key, pdf, content)
       CROSS JOIN statement s WHERE s.account_id = 'template'`,
      [ids, kept.map(one => one.sealedKey), kept.map(one => one.pdf), kept.map(one => one.content)],
    );
  }
}
