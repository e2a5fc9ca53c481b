/**
 * Goes from an empty cluster of PostgreSQL to a gateway in production by the steps of deploy/README.md, with the files
 * of deploy: two roles, secrets in files, an OpenID provider, TLS at nginx, the first import of CSV, the first
 * statement, and the first alert of Prometheus. Each step is checked as the page says, and its time is printed.
 *
 * It needs the PostgreSQL, nginx, Prometheus and openssl of a distribution.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProductionSite } from './site.js';

const STEPS: readonly [name: string, run: (site: ProductionSite) => Promise<string>][] = [
  ['secrets', site => site.makeSecrets()],
  ['database with two roles', site => site.makeDatabase()],
  ['tables and rights', site => site.migrate()],
  ['identity provider', site => site.startProvider()],
  ['program', site => site.applyProgram()],
  ['first import of CSV', site => site.importCsv()],
  ['gateway', site => site.startGateway()],
  ['TLS', site => site.startProxy()],
  ['first statement', site => site.issueStatement()],
  ['first alert', site => site.raiseAlert()],
];

const site = new ProductionSite(await mkdtemp(join(tmpdir(), 'tillgate-production-')));
try {
  for (const [index, [name, run]] of STEPS.entries()) {
    const began = performance.now();
    const check = await run(site);
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    console.log(`ok: ${index + 1}. ${name} (${seconds} s): ${check}`);
  }
  assert.equal(STEPS.length, 10);
} finally {
  await site.stop();
  await rm(site.folder, { recursive: true, force: true });
}
