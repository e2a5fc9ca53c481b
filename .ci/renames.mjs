// Writes the tables of docs/from-0.2.md from renamed-in-1.0.json. With --check it fails if they differ.
import { readFileSync, writeFileSync } from 'node:fs';

const PAGE = 'docs/from-0.2.md';
const MARKS = ['<!-- Renames: npm run generate -->', '<!-- End of the renames -->'];
const all = JSON.parse(readFileSync('.ci/renamed-in-1.0.json', 'utf8'));
const of = kind => all.filter(rename => rename.kind === kind);

const code = text => `\`${text}\``;
const table = (head, rows) => ['', ...[head, head.map(() => '---'), ...rows].map(row => `| ${row.join(' | ')} |`), ''];

/** What the input of a mutation calls an argument that had another name. */
function named({ arguments: names = {} }) {
  return Object.entries(names)
    .filter(([from, to]) => from !== to)
    .map(([from, to]) => `${code(from)} is ${code(to)}`)
    .join(', ');
}

const tables = [
  '## Mutations',
  ...table(
    ['Mutation', 'In the `input`', 'The record in the payload'],
    of('mutation').map(rename => [
      code(rename.field),
      named(rename),
      rename.record ? code(rename.record) : 'As before',
    ]),
  ),
  '## Fields',
  ...table(
    ['Type', 'In 0.2', 'In 1.0'],
    [...of('field'), ...of('input')].map(({ type, from, to }) => [type, from, to].map(code)),
  ),
  '## Types',
  ...table(
    ['In 0.2', 'In 1.0'],
    of('type').map(({ from, to }) => [from, to].map(code)),
  ),
].join('\n');

const present = readFileSync(PAGE, 'utf8');
const [head, rest = ''] = present.split(MARKS[0]);
const written = [head, MARKS[0], '\n\n', tables, '\n', MARKS[1], rest.split(MARKS[1])[1]].join('');
const words = text => text.replaceAll(/[\s|-]+/g, ' ');
if (!process.argv.includes('--check')) writeFileSync(PAGE, written);
else if (words(written) !== words(present)) {
  console.error(`${PAGE} has other renames. Run: npm run generate -- renames`);
  process.exitCode = 1;
}
