import { readFile, stat } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from '@jest/globals';
import {
  NoDeprecatedCustomRule,
  buildSchema,
  extendSchema,
  isScalarType,
  isSpecifiedScalarType,
  Kind,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import { pages, ROOT, samplesOf } from './fences.js';

/** The anchors that a reader's browser finds on a page, as GitHub makes them. */
function anchorsOf(page: string): string[] {
  const headings = [...page.replaceAll(/```[\s\S]*?\n *```/g, '').matchAll(/^#+ (.+)$/gm)].map(
    ([, words = '']) => words,
  );
  return headings.map(words =>
    words
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Pages for those who change the code, which have no commands to try. */
const DEVELOPERS_PAGES = ['CONTRIBUTING.md', 'test/README.md', 'bench/README.md'];

async function scriptsOf(folder: string): Promise<string[]> {
  const { scripts } = JSON.parse(await readFile(join(ROOT, folder, 'package.json'), 'utf8')) as { scripts: object };
  return Object.keys(scripts);
}

test('every link of the pages leads somewhere', async () => {
  const broken: string[] = [];
  for (const page of [...(await pages()), ...DEVELOPERS_PAGES]) {
    const text = await readFile(join(ROOT, page), 'utf8');
    for (const [, target = ''] of text.replaceAll(/```[\s\S]*?\n```/g, '').matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(target)) continue;
      const [path = '', anchor] = target.split('#');
      const file = path === '' ? page : normalize(join(dirname(page), path));
      const found = await stat(join(ROOT, file)).catch(() => null);
      const anchors = anchor && found?.isFile() ? anchorsOf(await readFile(join(ROOT, file), 'utf8')) : [];
      if (!found || (anchor && !anchors.includes(anchor))) broken.push(`${page}: ${target}`);
    }
  }
  expect(broken).toEqual([]);
});

test('a page names the address of the gateway once, in `$URL`, so that a reader changes one line', async () => {
  const sent = (text: string) => text.split('\n').filter(line => line.includes('localhost:4000'));
  for (const page of await pages()) {
    const commands = (await samplesOf(page)).filter(({ language }) => language === 'sh');
    const lines = commands.flatMap(({ text }) => sent(text));
    expect([page, lines]).toEqual([page, lines.slice(0, 1).map(() => 'export URL=http://localhost:4000')]);
  }
});

test('every npm script that is named is there', async () => {
  const folders = ['.', 'bench', 'examples/apollo-client'];
  const scripts = (await Promise.all(folders.map(scriptsOf))).flat();
  const named: string[] = [];
  for (const page of [...(await pages()), ...DEVELOPERS_PAGES]) {
    const text = await readFile(join(ROOT, page), 'utf8');
    for (const [, script = ''] of text.matchAll(/npm run (?:-s |--silent )?([a-z][a-z0-9:-]*)/g)) named.push(script);
  }
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter(script => !scripts.includes(script))).toEqual([]);
});

test('every long run that is named is there, and each is explained', async () => {
  const source = await readFile(join(ROOT, 'test/long.ts'), 'utf8');
  const there = [...source.matchAll(/^  ([a-z]+): \{/gm)].map(([, name = '']) => name);
  const named: string[] = [];
  for (const page of [...(await pages()), ...DEVELOPERS_PAGES]) {
    const text = await readFile(join(ROOT, page), 'utf8');
    for (const [, name = ''] of text.matchAll(/npm run long -- ([a-z]+)/g)) named.push(name);
  }
  expect(named.filter(name => !there.includes(name))).toEqual([]);
  const [, section = ''] = (await readFile(join(ROOT, 'test/README.md'), 'utf8')).split('## Long runs');
  expect(there.filter(name => !section.includes(`| \`${name}\``))).toEqual([]);
  expect(there.length).toBeGreaterThan(10);
});

test('every check and every generated file that is named is there, and each is explained', async () => {
  const cookbook = await readFile(join(ROOT, 'docs/cookbook.md'), 'utf8');
  for (const [script, heading] of Object.entries({ check: '### Checks', generate: '### Generated files' })) {
    const source = await readFile(join(ROOT, `.ci/${script}.mjs`), 'utf8');
    const there = [...source.matchAll(/^ {2}'?([a-z][a-z-]*)'?:/gm)].map(([, name = '']) => name);
    const [, section = ''] = cookbook.split(`${heading}\n`);
    const [explained = ''] = section.split('\n#');
    const rows = [...explained.matchAll(/^\| `([a-z-]+)` /gm)].map(([, name = '']) => name);
    expect(rows).toEqual(there);
    const named: string[] = [];
    for (const page of [...(await pages()), ...DEVELOPERS_PAGES]) {
      const text = await readFile(join(ROOT, page), 'utf8');
      const calls = text.matchAll(new RegExp(`npm run ${script} -- ([a-z -]+)`, 'g'));
      for (const [, names = ''] of calls) named.push(...names.trim().split(' '));
    }
    expect(named.length).toBeGreaterThan(2);
    expect(named.filter(name => !there.includes(name))).toEqual([]);
  }
});

test('every npm script is explained where it belongs', async () => {
  const cookbook = await readFile(join(ROOT, 'docs/cookbook.md'), 'utf8');
  const listed = (script: string) => new RegExp(`^\\| .npm (?:run (?:-s )?)?${script}[ \`]`, 'm').test(cookbook);
  expect((await scriptsOf('.')).filter(script => !listed(script))).toEqual([]);
  const bench = await readFile(join(ROOT, 'bench/README.md'), 'utf8');
  const named = (script: string) => bench.includes(`npm run ${script}`) || bench.includes(`| \`${script}\` `);
  expect((await scriptsOf('bench')).filter(script => !named(script))).toEqual([]);
});

// Each page runs with data of its own, but its reader may have gone by another page before.
test('no two pages write under one idempotency key', async () => {
  const pagesOfKey = new Map<string, Set<string>>();
  for (const page of await pages()) {
    for (const { text } of await samplesOf(page)) {
      for (const [, key = ''] of text.matchAll(/Idempotency-Key: ([^'"$]+)['"]/g)) {
        pagesOfKey.set(key, (pagesOfKey.get(key) ?? new Set()).add(page));
      }
    }
  }
  expect(pagesOfKey.size).toBeGreaterThan(10);
  expect([...pagesOfKey].filter(([, on]) => on.size > 1).map(([key, on]) => [key, ...on])).toEqual([]);
});

test('every page is listed in the index', async () => {
  const index = await readFile(join(ROOT, 'docs/README.md'), 'utf8');
  const names = (await pages()).filter(page => page.startsWith('docs/')).map(page => page.slice('docs/'.length));
  expect(names.filter(name => name !== 'README.md' && !index.includes(`](${name})`))).toEqual([]);
});

test('every operation shown is one of the schema without what is deprecated, and has a name', async () => {
  const schema = buildSchema(await readFile(join(ROOT, 'schema.graphql'), 'utf8'));
  const wrong: string[] = [];
  const samples = (await Promise.all((await pages()).map(samplesOf))).flat();
  const operations = samples.filter(({ language }) => language === 'graphql');
  expect(operations.length).toBeGreaterThan(5);
  const sandbox = await readFile(join(ROOT, 'packages/sandbox/schema.graphql'), 'utf8');
  const withSandbox = extendSchema(schema, parse(sandbox));
  for (const { place, text } of operations) {
    const document = parse(text);
    const known = place.startsWith('docs/sandbox.md') ? withSandbox : schema;
    wrong.push(
      ...validate(known, document, [...specifiedRules, NoDeprecatedCustomRule]).map(
        ({ message }) => `${place}: ${message}`,
      ),
    );
    if (document.definitions.some(part => part.kind === Kind.OPERATION_DEFINITION && !part.name)) {
      wrong.push(`${place} has no name.`);
    }
  }
  expect(wrong).toEqual([]);
});

test('the page for apps maps every scalar of the schema', async () => {
  const schema = buildSchema(await readFile(join(ROOT, 'schema.graphql'), 'utf8'));
  const types = Object.values(schema.getTypeMap()).filter(type => isScalarType(type) && !isSpecifiedScalarType(type));
  const page = await readFile(join(ROOT, 'docs/mobile.md'), 'utf8');
  const mapped = [...page.matchAll(/mapScalarToKotlin\w+\("(\w+)"\)/g)].map(([, name]) => name);
  // Scopes are in a directive alone, which no operation asks for.
  expect(mapped).toEqual(
    types
      .map(({ name }) => name)
      .filter(name => name !== 'federation__Scope')
      .sort(),
  );
});

test('what cannot run where the tests run is little, and each has a reason', async () => {
  const samples = (await Promise.all((await pages()).map(samplesOf))).flat();
  expect(
    samples.flatMap(({ place, marks }) => (marks.notRun ? [`${place.split(':')[0]}: ${marks.notRun}`] : [])),
  ).toEqual([
    'docs/getting-started.md: it needs a database server of yours (docs/backup.md runs the same commands on one)',
    'docs/getting-started.md: it needs Docker and images from a registry',
    'docs/install.md: it needs Docker and an image from a registry',
    'docs/install.md: it needs Docker and an image from a registry',
    'docs/releasing.md: it publishes a release',
  ]);
});
