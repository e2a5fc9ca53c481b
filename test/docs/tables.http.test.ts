import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { GATEWAY_SETTINGS, readConfig } from '../../src/app/config.js';
import { NOUNS } from '../../src/app/nouns.js';
import type { Setting } from '../../src/platform/settings/setting.js';
import { BadSettings, Settings } from '../../src/platform/settings/settings.js';
import { SCOPES, TOKEN_SCOPES } from '../../src/shared/caller.js';
import { startTestGateway } from '../support/gateway.js';
import { ROOT, tableUnder } from './fences.js';
import type * as Inside from './tables.inside.js';

const gateway = await startTestGateway();
afterAll(() => gateway.stop());

/** The settings of the gateway, and of the packages that come with it. */
const DECLARED = [...GATEWAY_SETTINGS, ...NOUNS.settings];

const text = (path: string) => readFile(join(ROOT, path), 'utf8');

function codeIn(cell: string | undefined): string[] {
  return [...(cell ?? '').matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

test('the table of routes has those that are declared, each with a scope', async () => {
  const rows = await tableUnder('docs/rest.md', '# REST');
  const told = rows.map(([route]) => codeIn(route)[0]?.replaceAll(/\{\w+\}/g, '{}') ?? '');
  expect(told.length).toBeGreaterThan(11);
  expect(told.toSorted()).toEqual(
    (await gateway.module<typeof Inside>('test/docs/tables').declaredRoutes()).toSorted(),
  );
  expect(
    rows.flatMap(([, scope]) => codeIn(scope)).filter(scope => !(SCOPES as readonly string[]).includes(scope)),
  ).toEqual([]);
});

/** Every setting that is read, in development or in production. */
function settingsRead(): Set<string> {
  const names = new Set<string>();
  const asked = (env: Record<string, string>) =>
    new Proxy(env, { get: (target, name) => (names.add(String(name)), target[String(name)]) });
  readConfig(asked({}));
  for (const group of NOUNS.settings) new Settings(asked({}), false).read(group);
  expect(() => readConfig(asked({ NODE_ENV: 'production' }))).toThrow(BadSettings);
  return names;
}

/** What a setting is where nobody sets it, as its refusal of a wrong value says; null where it does not say. */
function fallbackOf(name: string): string | null {
  try {
    readConfig({ [name]: '-' });
  } catch (error) {
    const [, fallback = null] =
      new RegExp(`^${name} .* or unset it for (\\d+)\\.$`, 'm').exec((error as Error).message) ?? [];
    return fallback;
  }
  return null;
}

test('every setting that is read is declared, with a sentence that stands alone', () => {
  const declared = DECLARED.flatMap(({ settings }) => Object.entries<Setting>(settings));
  expect(declared.map(([name]) => name).toSorted()).toEqual([...settingsRead()].toSorted());
  const unfit = declared.filter(([, { about }]) => !/^(`?[A-Z]|`production`)[^]*\.$/.test(about));
  expect(unfit).toEqual([]);
});

test('the tables of settings and .env.example name each setting once, and no secret has an example', async () => {
  const [, rest = ''] = (await text('docs/install.md')).split('<!-- Settings: npm run generate -->');
  const [tables = ''] = rest.split('<!-- End of the settings -->');
  const told = [...tables.matchAll(/^\| `([A-Z_]+)` +\|/gm)].map(([, name = '']) => name);
  const lines = [...(await text('.env.example')).matchAll(/^# ([A-Z_]+)=(.*)$/gm)];
  const names = DECLARED.flatMap(({ settings }) => Object.keys(settings)).toSorted();
  expect([told.toSorted(), lines.map(([, name = '']) => name).toSorted()]).toEqual([names, names]);
  const secrets = DECLARED.flatMap(({ settings }) => Object.entries<Setting>(settings))
    .filter(([, { isSecret }]) => isSecret)
    .map(([name]) => name);
  expect(secrets.length).toBeGreaterThan(3);
  expect(lines.filter(([, name = '', value]) => secrets.includes(name) && value !== '')).toEqual([]);
});

test('the table of the log has every field of a line about a request, and no other', async () => {
  const source = await text('src/platform/http/request-log.ts');
  const written = [...source.matchAll(/"(\w+)":(?=\$|true|"request")/g)].map(([, name = '']) => name);
  const told = (await tableUnder('docs/maintain.md', '## Log')).flatMap(([name]) => codeIn(name));
  expect(told.toSorted()).toEqual(['level', 'time', ...written].toSorted());
});

test('the table of limits has the defaults of their settings', async () => {
  const rows = await tableUnder('docs/limits.md', '## GraphQL limits');
  const told = Object.fromEntries(rows.map(([name, fallback]) => [codeIn(name)[0], fallback]));
  expect(Object.keys(told).length).toBeGreaterThan(6);
  expect(told).toEqual(Object.fromEntries(Object.keys(told).map(name => [name, fallbackOf(name)])));
});

test('the table of boxes has the types of transactions that fill them', async () => {
  const source = await text('src/bank/statement/issue/ledger.ts');
  const filling = [...source.matchAll(/netOfType\('([A-Z]+)', '([A-Z]+)'\)/g)].map(
    ([, type, side]) => `${type} ${side}`,
  );
  const rows = await tableUnder('docs/documents.md', '## Which transactions fill the boxes');
  expect(filling.length).toBeGreaterThan(2);
  expect(rows.map(([, type, side]) => [...codeIn(type), ...codeIn(side)].join(' ')).toSorted()).toEqual(
    [...new Set(filling)].toSorted(),
  );
});

test('the table of scopes has each of them once', async () => {
  const told = (await tableUnder('docs/concepts.md', '### Scopes')).flatMap(([names]) => codeIn(names));
  expect(told.toSorted()).toEqual(TOKEN_SCOPES.toSorted());
});

test('the table of alerts has those of the rules', async () => {
  const rules = await text('deploy/prometheus-rules.yml');
  const known = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);
  const told = (await tableUnder('docs/maintain.md', '## Monitoring')).flatMap(([, name]) => codeIn(name));
  expect(told).toEqual(known);
});

test('every page and file that names the Node.js it needs names the one of package.json', async () => {
  const { engines } = JSON.parse(await text('package.json')) as { engines: { node: string } };
  const least = /\d+\.\d+/.exec(engines.node)?.[0];
  for (const file of ['README.md', 'CONTRIBUTING.md', 'docs/getting-started.md', 'docs/install.md', '.ci/run']) {
    const named = [...(await text(file)).matchAll(/Node(?:\.js)? (\d+(?:\.\d+)?) or newer/g)].map(([, one]) => one);
    expect([file, new Set(named)]).toEqual([file, new Set([least])]);
  }
});

test('the image has the Node.js that npm scripts run on', async () => {
  const { devDependencies } = JSON.parse(await text('package.json')) as { devDependencies: { node: string } };
  expect(await text('Dockerfile')).toContain(`\nARG NODE_IMAGE=node:${devDependencies.node}-slim\n`);
});
