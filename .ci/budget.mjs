// Prints the lines of code of each folder, with the tests that stand in it, and fails where one has more than its
// budget in budget.json. A change that needs more raises the budget in the same commit, with its reason. With --write
// it sets each budget to what is there now and 3 % more.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { filesIn } from './files.mjs';

const BUDGET = join(import.meta.dirname, 'budget.json');
const SOURCES = new Set(['.ts', '.tsx', '.mjs', '.css', '.graphql']);
const GENERATED = /(^|\/)((generated|node_modules|dist)\/|schema\.graphql$)/;
const SPARE = 1.03;
/** Each folder in these has a budget of its own. */
const PARENTS = ['src', 'packages'];

/** Lines of code, of comments, and blank ones. A line with code and a comment is code. */
function linesOf(path) {
  const count = { code: 0, comment: 0, blank: 0 };
  let isComment = false;
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    const text = line.trim();
    if (text === '') {
      count.blank += 1;
      continue;
    }
    const begins = text.startsWith('/*') || text.startsWith('//');
    if (isComment || begins) count.comment += 1;
    else count.code += 1;
    if (begins && !text.startsWith('//')) isComment = true;
    if (text.endsWith('*/')) isComment = false;
  }
  return count;
}

function linesIn(folder) {
  const total = { code: 0, comment: 0, blank: 0 };
  for (const path of filesIn(folder)) {
    if (!SOURCES.has(extname(path)) || GENERATED.test(path)) continue;
    const lines = linesOf(path);
    for (const kind of Object.keys(total)) total[kind] += lines[kind];
  }
  return total;
}

const budget = JSON.parse(readFileSync(BUDGET, 'utf8'));
const rows = Object.entries(budget).map(([folder, { code: most, reason }]) => ({
  folder,
  most,
  reason,
  ...linesIn(folder),
}));
if (process.argv.includes('--write')) {
  const next = rows.map(({ folder, code, reason }) => [
    folder,
    { code: Math.ceil(code * SPARE), ...(reason && { reason }) },
  ]);
  for (const row of rows) row.most = Math.ceil(row.code * SPARE);
  writeFileSync(BUDGET, `${JSON.stringify(Object.fromEntries(next), null, 2)}\n`);
}
const cell = value => String(value).padStart(10);
console.log(`${'folder'.padEnd(28)}${['code', 'budget', 'comments', 'blank'].map(cell).join('')}`);
for (const { folder, most, code, comment, blank } of rows) {
  console.log(`${folder.padEnd(28)}${[code, most, comment, blank].map(cell).join('')}`);
}
const without = PARENTS.flatMap(parent =>
  readdirSync(parent, { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(({ name }) => `${parent}/${name}`),
).filter(folder => !(folder in budget));
for (const folder of without) {
  console.error(`${folder} has no budget. Give it one in .ci/budget.json, with the reason.`);
}
const over = rows.filter(({ code, most }) => code > most);
for (const { folder, code, most } of over) {
  console.error(
    `${folder} has ${code} lines of code and a budget of ${most}. Make it smaller, or raise the budget in .ci/budget.json in this commit, with the reason.`,
  );
}
if (without.length > 0 || over.length > 0) process.exitCode = 1;
