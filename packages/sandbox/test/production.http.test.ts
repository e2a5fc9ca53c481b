import { readdir } from 'node:fs/promises';
import { afterAll, describe, expect, test } from '@jest/globals';
import { differsOnCitus } from '../../../test/support/citus-differences.js';
import { testUnless } from '../../../test/support/unless.js';
import { printSchema } from 'graphql';
import { readConfig } from '../../../src/app/config.js';
import { startTestGateway } from '../../../test/support/gateway.js';
import { servedSchema } from '../../../test/support/served.js';
import { SIMULATION_FIELDS, SIMULATION_KINDS } from '../../../test/support/simulations.js';
import type * as Inside from './production.inside.js';

const gateway = await startTestGateway({ production: true });
afterAll(() => gateway.stop());

const inside = gateway.module<typeof Inside>('packages/sandbox/test/production');
const routes = (await inside.routes()).map(route => route.split(' ') as [method: string, path: string]);
const [served, sandbox] = [await servedSchema(gateway, { hasSandbox: false }), await servedSchema(gateway)];
const fieldsOf = (schema: typeof served) => ({
  query: Object.keys(schema.getQueryType()?.getFields() ?? {}),
  mutation: Object.keys(schema.getMutationType()?.getFields() ?? {}),
});
const added = (['query', 'mutation'] as const).flatMap(kind => {
  const known = new Set(fieldsOf(served)[kind]);
  const all = fieldsOf(sandbox)[kind];
  return all.filter(name => !known.has(name)).map(name => [kind, name] as const);
});

describe('in production', () => {
  test.each(routes)('%s %s is as unknown as any path', async (method, path) => {
    const { account, caller } = await gateway.given.account();
    const client = gateway.as(caller);
    const ask = (at: string) =>
      method === 'GET' ? client.rest.get(at) : client.rest.post(at, { accountId: account, forward: 'P1D' });
    const [sent, unknown] = [await ask(path), await ask('/nothing/here')];
    expect(sent).toMatchObject({ status: 404, body: { code: 'route_not_found' } });
    expect({ ...sent.body, instance: '', requestId: '' }).toEqual({ ...unknown.body, instance: '', requestId: '' });
  });

  test.each(added)('the %s %s is no field', async (kind, name) => {
    const { caller } = await gateway.given.account();
    const { errors } = await gateway.as(caller).graphql(`${kind} { ${name} { __typename } }`);
    expect(errors?.[0]?.extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
  });

  test('nothing of it is in the schema or in the OpenAPI document', async () => {
    expect(printSchema(served)).not.toMatch(/simulat|sandbox/i);
    expect(await inside.described()).not.toMatch(/\/simulate|sandbox/i);
    expect(await inside.hasSandbox()).toBe(false);
  });

  testUnless(differsOnCitus('sandboxEnds'))(
    'the clocks are not read: a database that was ahead is in the real time',
    async () => {
      const { program } = await gateway.given.account();
      await gateway.sql.query('INSERT INTO sandbox_program (program, ahead_ms) VALUES ($1, 86400000)', [program]);
      expect(await inside.isAhead(program)).toEqual([[false]]);
    },
  );
});

test('every route and every field of the sandbox is among those that production is asked for', async () => {
  const paths = SIMULATION_KINDS.map(kind => `/simulate/${kind}`);
  expect(new Set(routes.map(([, path]) => path))).toEqual(
    new Set(['/simulate/clock', '/simulate/month-close', ...paths]),
  );
  const fields = ['simulatedClock', 'simulateClock', 'simulateMonthClose', ...SIMULATION_FIELDS];
  expect(added.map(([, name]) => name).sort()).toEqual(fields.sort());
  const files = await readdir(new URL('../src/', import.meta.url));
  expect(files.filter(name => name.endsWith('.rest.ts'))).toEqual(['sandbox.rest.ts']);
});

test('the sandbox adds fields and types to the schema, and changes nothing else', () => {
  const definitions = (schema: typeof served) => new Set(printSchema(schema).split('\n'));
  const all = definitions(sandbox);
  expect([...definitions(served)].filter(line => !all.has(line))).toEqual([]);
});

describe('SANDBOX', () => {
  const PRODUCTION = {
    NODE_ENV: 'production',
    AUTH_ISSUER: 'https://issuer.example/',
    AUTH_AUDIENCE: 'https://bank.example/',
    AUTH_JWKS_URL: 'https://issuer.example/jwks.json',
    DATABASE_URL: 'postgres://localhost/tillgate',
    FIELD_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
  };

  test('is on in development, unless it is switched off', () => {
    expect(readConfig({}).sandbox).toBe(true);
    expect(readConfig({ SANDBOX: 'false' }).sandbox).toBe(false);
    expect(readConfig({ NODE_ENV: 'test' }).sandbox).toBe(true);
    expect(() => readConfig({ SANDBOX: 'yes' })).toThrow('SANDBOX must be one of true, false.');
  });

  test('is off in production, where it cannot be switched on', () => {
    expect(readConfig(PRODUCTION).sandbox).toBe(false);
    expect(readConfig({ ...PRODUCTION, SANDBOX: 'false' }).sandbox).toBe(false);
    expect(() => readConfig({ ...PRODUCTION, SANDBOX: 'true' })).toThrow(
      'SANDBOX is true, and the sandbox is refused in production. Unset it.',
    );
  });
});
