import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { BadSettings, readConfig } from '../../src/config.js';
import { SCOPES } from '../../src/shared/caller.js';
import { STATUS_OF, type RefusalKind } from '../../src/shared/errors.js';
import { ROOT } from './fences.js';

const text = (path: string) => readFile(join(ROOT, path), 'utf8');

/** The rows of the first table under a heading, cell by cell. */
async function tableUnder(page: string, heading: string): Promise<string[][]> {
  const [, after = ''] = (await text(page)).split(`${heading}\n`);
  const [table = ''] = /^\|.*\n\|[ :|-]+\n(?:\|.*\n)+/m.exec(after) ?? [];
  const rows = table.trimEnd().split('\n').slice(2);
  return rows.map(row =>
    row
      .slice(1, -1)
      .split('|')
      .map(cell => cell.trim()),
  );
}

function codeIn(cell: string | undefined): string[] {
  return [...(cell ?? '').matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

/** `code status` of every refusal that either door can send, as the classes in the sources say it. */
async function refusals(): Promise<string[]> {
  const classes = new Map<string, { base: string; kinds: string[]; codes: string[] }>();
  for await (const file of glob('src/**/*.ts', { cwd: ROOT })) {
    // What files of records are refused for is said line by line, by the command that imports them.
    if (file.startsWith('src/platform/import/') || file.endsWith('.import.ts')) continue;
    for (const part of (await text(file)).split(/^(?:export )?(?:abstract )?class /m).slice(1)) {
      const [, name = '', base = ''] = /^(\w+) extends (\w+)/.exec(part) ?? [];
      const quoted = (field: string) => {
        const [, value = ''] = new RegExp(`^ {2}readonly ${field}(?:: | = )([^;]+);`, 'm').exec(part) ?? [];
        return [...value.matchAll(/'([^']+)'/g)].map(([, word = '']) => word);
      };
      if (name) classes.set(name, { base, kinds: quoted('kind'), codes: quoted('code') });
    }
  }
  const kindsOf = (name: string): string[] => {
    const known = classes.get(name);
    return known ? (known.kinds.length > 0 ? known.kinds : kindsOf(known.base)) : [];
  };
  const isRefusal = (name: string): boolean => name === 'Refusal' || isRefusal(classes.get(name)?.base ?? 'Refusal');
  const found = [...classes].filter(([name, { codes }]) => codes.length > 0 && isRefusal(name));
  // A class of two kinds has two codes, in the same order.
  return found.flatMap(([name, { codes }]) =>
    codes.map(
      (code, index) => `${code} ${STATUS_OF[(kindsOf(name)[index] ?? kindsOf(name)[0]) as RefusalKind].status}`,
    ),
  );
}

test('the table of codes has every refusal with its status, and no other', async () => {
  const told = (await tableUnder('docs/rest.md', '### All codes')).map(
    ([code, status]) => `${codeIn(code)[0]} ${status}`,
  );
  const known = (await refusals()).filter(refusal => !refusal.startsWith('PERSISTED_QUERY_NOT_FOUND'));
  expect(known.length).toBeGreaterThan(35);
  expect(told.toSorted()).toEqual(known.toSorted());
});

/** Every route of the nouns as the sources declare it, `METHOD /path` with `{}` for what varies. */
async function routes(): Promise<string[]> {
  const found: string[] = [];
  for await (const file of glob('src/*/*.routes.ts', { cwd: ROOT })) {
    const source = await text(file);
    const paths = Object.fromEntries(
      [...source.matchAll(/const (\w+) = '(\/[^']+)';/g)].map(([, name, path]) => [name, path]),
    );
    for (const [, method = '', name = '', path = paths[name]] of source.matchAll(
      /router\.(get|post|put|patch|delete)\((\w+)?(?:['`](\/[^'`]+)['`])?/g,
    )) {
      found.push(`${method.toUpperCase()} ${path?.replaceAll(/\$?\{\w+\}|:\w+/g, '{}')}`);
    }
  }
  return found;
}

test('the table of routes has those that are declared, each with a scope', async () => {
  const rows = await tableUnder('docs/rest.md', '# REST');
  const told = rows.map(([route]) => codeIn(route)[0]?.replaceAll(/\{\w+\}/g, '{}') ?? '');
  expect(told.length).toBeGreaterThan(11);
  expect(told.toSorted()).toEqual((await routes()).toSorted());
  expect(
    rows.flatMap(([, scope]) => codeIn(scope)).filter(scope => !(SCOPES as readonly string[]).includes(scope)),
  ).toEqual([]);
});

test('the table of codes of GraphQL has those that the gateway lets through', async () => {
  const [, list = ''] =
    /CLIENT_CODES = new Set\(\[([^\]]+)\]/.exec(await text('src/platform/graphql/format-error.ts')) ?? [];
  const known = [...list.matchAll(/'([A-Z_]+)'/g)].map(([, code = '']) => code);
  const told = (await tableUnder('docs/graphql.md', '## Errors')).flatMap(([code]) => codeIn(code));
  expect(told.toSorted()).toEqual([...known, 'PERSISTED_QUERY_NOT_FOUND'].toSorted());
});

/** Every setting that is read, in development or in production. */
function settingsRead(): Set<string> {
  const names = new Set<string>();
  const asked = (env: Record<string, string>) =>
    new Proxy(env, { get: (target, name) => (names.add(String(name)), target[String(name)]) });
  readConfig(asked({}));
  expect(() => readConfig(asked({ NODE_ENV: 'production' }))).toThrow(BadSettings);
  return names;
}

/** What a setting is where nobody sets it, as its refusal of a wrong value says; null where it does not say. */
function fallbackOf(name: string): string | null {
  try {
    readConfig({ [name]: '-' });
  } catch (error) {
    const [, fallback = null] =
      new RegExp(`^${name}: .* or unset it for (\\d+)\\.$`, 'm').exec((error as Error).message) ?? [];
    return fallback;
  }
  return null;
}

test('the table of settings has all that are read, with their defaults, and so has .env.example', async () => {
  const read = settingsRead();
  const rows = await tableUnder('docs/operations.md', '## Settings');
  const told = rows.flatMap(([names]) => codeIn(names));
  expect([...told, 'NODE_ENV'].toSorted()).toEqual([...read].toSorted());
  const example = [...(await text('.env.example')).matchAll(/^# ([A-Z_]+)=/gm)].map(([, name = '']) => name);
  expect(example.toSorted()).toEqual([...read].toSorted());

  const numbers: Record<string, string> = {};
  for (const [names, defaults = ''] of rows) {
    for (const [index, name] of codeIn(names).entries()) {
      const fallback = fallbackOf(name);
      const said = defaults.split(', ')[index] ?? '';
      if (fallback !== null && /^\d+$/.test(said)) numbers[name] = `${said} ${fallback}`;
    }
  }
  expect(Object.keys(numbers).length).toBeGreaterThan(12);
  expect(Object.entries(numbers).filter(([, both]) => new Set(both.split(' ')).size > 1)).toEqual([]);
});

test('the table of the log has every field of a line about a request, and no other', async () => {
  const source = await text('src/platform/http/request-log.ts');
  const written = [...source.matchAll(/"(\w+)":(?=\$|true|"request")/g)].map(([, name = '']) => name);
  const told = (await tableUnder('docs/operations.md', '## Log')).flatMap(([name]) => codeIn(name));
  expect(told.toSorted()).toEqual(['level', 'time', ...written].toSorted());
});

test('the table of limits has the defaults of their settings', async () => {
  const rows = await tableUnder('docs/limits.md', '## GraphQL limits');
  const told = Object.fromEntries(rows.map(([name, fallback]) => [codeIn(name)[0], fallback]));
  expect(Object.keys(told).length).toBeGreaterThan(6);
  expect(told).toEqual(Object.fromEntries(Object.keys(told).map(name => [name, fallbackOf(name)])));
});

test('the table of scopes has each of them once', async () => {
  const told = (await tableUnder('docs/concepts.md', '### Scopes')).flatMap(([names]) => codeIn(names));
  expect(told.toSorted()).toEqual([...SCOPES].toSorted());
});

test('the table of alerts has those of the rules', async () => {
  const rules = await text('deploy/prometheus-rules.yml');
  const known = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);
  const told = (await tableUnder('docs/operations.md', '## Monitoring')).flatMap(([, name]) => codeIn(name));
  expect(told).toEqual(known);
});
