// Holds the pages of evidence against the tests that they name, and the pages of controls.json against the controls of
// their standards: each control has a test, a page that shows it, or a reason. Without --check it also writes the
// counts of these pages.
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const MARKS = ['<!-- Counts: npm run generate -->', '<!-- End of the counts -->'];
/** How a row begins that has a reason in place of evidence. */
const REASONS = ['Operator', 'Not met', 'Not of this product'];
const isCheck = process.argv.includes('--check');
const problems = [];

const documented = readdirSync('docs').map(name => `docs/${name}`);
for (const page of ['SECURITY.md', ...documented].filter(isPage)) {
  const missing = testsOn(readFileSync(page, 'utf8')).filter(path => !isTest(path));
  problems.push(...missing.map(path => `${page} names the test ${path}, which is not there.`));
}
for (const [page, standards] of Object.entries(JSON.parse(readFileSync('.ci/controls.json', 'utf8')))) {
  const present = readFileSync(page, 'utf8');
  const counts = Object.entries(standards).map(([standard, ids]) => [standard, countsOf(page, present, standard, ids)]);
  const counted = withCounts(present, counts);
  if (!isCheck) writeFileSync(page, counted);
  else if (words(counted) !== words(present)) problems.push(`${page} has other counts. Run: npm run generate`);
}
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;

function isPage(path) {
  return path.endsWith('.md') && existsSync(path);
}

/** The tests that a page names: after `Tests:`, and in the last column of tables with that head. */
function testsOn(text) {
  const listed = [...text.matchAll(/\bTests: ([^.\n]+(?:\n[^.\n]+)*)/g)].flatMap(([, list]) => codeIn(list));
  const tables = [...text.matchAll(/^\|.*\btests?\s*\|\n(?:\|.*\n)+/gm)];
  return [...listed, ...tables.flatMap(([table]) => rowsOf(table).flatMap(row => codeIn(row.at(-1))))];
}

/** Whether there is a file or a folder of tests. */
function isTest(path) {
  return filesOf(path).length > 0 || placesOf(path).some(folder => existsSync(folder));
}

/**
 * The files of a test in all lanes: pages name `cli/keys` for `cli/keys.http.test.ts` and `cli/keys.process.test.ts`.
 */
function filesOf(path) {
  return ['', '.http', '.process', '.browser', '.docs']
    .flatMap(lane => placesOf(path).map(place => `${place}${lane}.test.ts`))
    .filter(file => existsSync(file));
}

/** Where a test may be: `data-subject/retention` is in `test`, or in the package `data-subject`. */
function placesOf(path) {
  const [first, ...rest] = path.split('/');
  return [
    `test/${path}`,
    `packages/${first}/test/${rest.join('/')}`,
    `lib/${rest[0]}/test/${rest.slice(1).join('/')}`,
    ...(first === 'packages' ? [path] : []),
  ];
}

/** How many controls of a standard are met in which way. Notes what is wrong with a row, and which have none. */
function countsOf(page, text, standard, list) {
  const [, section = ''] = text.split(`\n## ${standard}\n`);
  const counts = { 'by a test': 0, 'by a page': 0, Operator: 0, 'Not met': 0, 'Not of this product': 0 };
  const missing = new Set(list.split(' ').flatMap(expand));
  for (const [range, how, evidence] of rowsOf(section.split('\n## ')[0])) {
    const [first, last] = range.split(' to ');
    const ids = last === undefined ? [first] : expand(`${first}-${last.split('.').at(-1)}`);
    counts[kindOf(`${page}: ${range}`, how, evidence, dirname(page))] += ids.length;
    const unknown = ids.filter(id => !missing.delete(id));
    problems.push(...unknown.map(id => `${page}: ${id} is no control of ${standard}.`));
  }
  if (missing.size > 0) problems.push(`${page}: ${standard} lacks ${[...missing].join(', ')}.`);
  return counts;
}

function kindOf(row, how, evidence, folder) {
  const reason = REASONS.find(word => how.startsWith(`**${word}**: `));
  if (reason) return reason;
  const tests = [...evidence.matchAll(/`([^`]+)`: (.+?)(?=<br>|$)/g)];
  const lost = tests.filter(([, path, name]) => !hasTest(path, name));
  problems.push(...lost.map(([, path, name]) => `${row} names a test that is not there: ${path}: ${name}`));
  if (tests.length > 0) return 'by a test';
  const links = [...evidence.matchAll(/\]\(([^)#]+)/g)].map(([, path]) => path);
  const broken = links.filter(path => !existsSync(join(folder, path)));
  problems.push(...broken.map(path => `${row} names ${path}, which is not there.`));
  if (links.length === 0) problems.push(`${row} has no test, no page and no reason.`);
  return 'by a page';
}

/** Whether a file has a test of this name, as it is written there. */
function hasTest(path, name) {
  const source = filesOf(path)
    .map(file => readFileSync(file, 'utf8'))
    .join('');
  return ["'", '"', '`'].some(quote => source.includes(`${quote}${name}${quote}`));
}

function withCounts(text, counts) {
  const head = ['standard', ...Object.keys(counts[0][1])].map(name => name.toLowerCase());
  const rows = counts.map(([standard, each]) => [standard, ...Object.values(each)]);
  const table = [head, head.map(() => '-'), ...rows].map(row => `| ${row.join(' | ')} |`).join('\n');
  const [before] = text.split(MARKS[0]);
  const [, after] = text.split(MARKS[1]);
  return `${before}${MARKS[0]}\n\n${table}\n\n${MARKS[1]}${after}`;
}

/** `V1.1.1-3` is three ids. */
function expand(ids) {
  const [, head, first, last] = /^(.*\.)(\d+)-(\d+)$/.exec(ids) ?? [];
  if (head === undefined) return [ids];
  return Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => `${head}${Number(first) + index}`);
}

function rowsOf(text) {
  const tables = [...text.matchAll(/^\|.*\n\|[ :|-]+\n((?:\|.*\n?)+)/gm)];
  return tables.flatMap(([, rows]) => rows.trimEnd().split('\n').map(cellsOf));
}

function cellsOf(row) {
  return row
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map(cell => cell.trim());
}

function codeIn(text) {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code);
}

/** A formatter has been over the page since it was written. */
function words(text) {
  return text.replaceAll(/\s|-(?=-)/g, '');
}
