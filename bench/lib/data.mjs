// The database that the servers share: made once for each set of sizes, through the gateway's own command line, and
// kept.
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { KINDS_OF_FILES, makeLedger } from '../make-ledger.mjs';
import { PROGRAM } from './product.mjs';
import { Failure, atEnd } from './run.mjs';

const ISSUER = {
  name: 'Bench',
  letterhead: {
    name: 'Bench Bank',
    addressLines: ['1 Quay Street', 'Port Ambergill, OR 00115'],
    telephone: '+1 503 555 0100',
  },
  errorResolution: {
    telephone: '+1 503 555 0111',
    email: 'care@bench.example',
    addressLines: ['Bench Bank, Customer Care', 'PO Box 11', 'Port Ambergill, OR 00115'],
  },
};

/** A connection of our own, which is closed at the end. */
export async function connectTo(url) {
  const db = new pg.Client({ connectionString: url });
  db.on('error', () => {});
  await db.connect();
  atEnd(() => db.end());
  return db;
}

/**
 * Makes and imports a ledger. Gives what the command said of each kind of file. @param
 * {import('./product.mjs').Product} product
 */
export async function importLedger(product, folder, sizes) {
  const said = {};
  await makeLedger(folder, sizes);
  for (const kind of KINDS_OF_FILES) {
    const file = join(folder, `${kind}.ndjson.gz`);
    said[kind] = await product.tillgate('import', kind, file, '--program', PROGRAM);
    if (!/ 0 rejected /.test(said[kind].output)) throw new Failure(said[kind].output);
    rmSync(file);
  }
  return said;
}

/**
 * The ledger of these sizes in `data`, imported if this folder does not have it yet. `mark` names the file that tells
 * so.
 */
export async function importOnce(product, db, data, sizes, mark = 'imported') {
  const done = join(data, mark);
  if (existsSync(done)) return;
  console.log(`importing ${sizes.transactions} transactions of ${sizes.accounts} accounts into ${data} ...`);
  const said = await importLedger(product, join(data, 'files'), sizes);
  for (const { output } of Object.values(said)) console.log(`  ${output}`);
  await db.query('VACUUM (FREEZE, ANALYZE)');
  await db.query('CHECKPOINT');
  writeFileSync(done, `${JSON.stringify(sizes)}\n`);
}

/** Gives the program what it needs to issue statements. */
export async function completeProgram(product, folder) {
  const file = join(folder, 'programs.json');
  writeFileSync(file, JSON.stringify({ [PROGRAM]: ISSUER }));
  await product.tillgate('programs', 'set', file);
}

/** What the tables of a build are like is known by the name of its newest migration. */
export function newestMigration(root) {
  return readdirSync(join(root, 'migrations'))
    .filter(name => /^Migration\d+/.test(name))
    .toSorted()
    .at(-1);
}
