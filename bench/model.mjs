// Reckons what a large bank needs, from what was measured here. docs/scale.md has the tables that this writes, and
// explains them. npm run model                                  prints them, from measured.json npm run model --
// --results results --write     takes the newest results of `scale`, `growth`, `partitions`, and writes both files Each
// assumption is an option: npm run model -- --years 5 --peak 10
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ASSUMED } from './lib/model.mjs';
import { assumptionsTable, endsTable, needsTable, stepsTable } from './lib/model-tables.mjs';
import { carriesTable, growthTables, partitionsTables, setUpTables } from './lib/model-inputs.mjs';
import { readOptions } from './lib/options.mjs';
import { Failure, run } from './lib/run.mjs';

const MEASURED = join(import.meta.dirname, 'measured.json');
const PAGE = resolve(import.meta.dirname, '../docs/scale.md');
const NAMES = ['scale-workers', 'scale-pooler', 'scale-replicas', 'scale-citus', 'growth', 'partitions'];
const UNITS = Object.fromEntries(Object.entries(ASSUMED).map(([name, { value }]) => [name, value]));

await run(async () => {
  const { results, write, ...assumed } = readOptions({ results: '', write: false, ...UNITS });
  const kept = existsSync(MEASURED) ? JSON.parse(readFileSync(MEASURED, 'utf8')) : {};
  const measured = { ...kept, ...(results && newestOf(results)) };
  const tables = {
    carries: carriesTable(measured),
    ...setUpTables(measured),
    ...growthTables(measured),
    partitions: partitionsTables(measured),
    assumptions: assumptionsTable(assumed),
    steps: stepsTable(measured, assumed),
    needs: needsTable(measured, assumed),
    ends: endsTable(measured, assumed),
  };
  if (!write) {
    for (const [name, text] of Object.entries(tables)) console.log(`## ${name}\n\n${text}\n`);
    return;
  }
  writeFileSync(MEASURED, `${JSON.stringify(measured, null, 1)}\n`);
  writeFileSync(PAGE, filledIn(readFileSync(PAGE, 'utf8'), tables));
  console.log(`Written to ${MEASURED} and ${PAGE}: ${Object.keys(measured).join(', ')}.`);
});

/** The newest file of each name, without its single rounds. */
function newestOf(folder) {
  const found = {};
  for (const name of NAMES) {
    const [file] = readdirSync(folder)
      .filter(one => new RegExp(`^${name}(-\\d+)?\\.json$`).test(one))
      .map(one => join(folder, one))
      .toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
    if (file) found[name] = JSON.parse(readFileSync(file, 'utf8'), withoutRounds);
  }
  if (Object.keys(found).length === 0) throw new Failure(`There are no results in ${folder}.`);
  return found;
}

function withoutRounds(key, value) {
  return key === 'rounds' && Array.isArray(value) ? undefined : value;
}

/** Puts each table between its two marks. */
function filledIn(page, tables) {
  for (const [name, text] of Object.entries(tables)) {
    const between = new RegExp(`(<!-- table: ${name} -->\n)[^]*?(<!-- end -->)`);
    if (!between.test(page)) throw new Failure(`${PAGE} has no place for the table ${name}.`);
    page = page.replace(between, (_all, start, end) => `${start}\n${text.trim()}\n\n${end}`);
  }
  return page;
}
