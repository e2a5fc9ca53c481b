import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { readConfig } from '../../src/app/config.js';
import { ROOT, blockOf } from '../docs/fences.js';

interface Service {
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly (string | { readonly source: string })[];
  readonly volumes?: readonly string[];
  readonly networks: readonly string[];
  readonly ports?: readonly string[];
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly healthcheck?: object;
  readonly restart?: string;
  readonly security_opt: readonly string[];
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>;
}

const read = (file: string) => readFile(join(ROOT, 'deploy', file), 'utf8');
const secretsOf = ({ secrets = [] }: Service) => secrets.map(one => (typeof one === 'string' ? one : one.source));

let compose: Compose;
beforeAll(async () => {
  compose = parse(await read('docker-compose.production.yml'), { merge: true }) as Compose;
});

test('each secret is a file that a service gets, and the gateway has none of the owner of the tables', () => {
  const { services, secrets } = compose;
  const used = new Set(Object.values(services).flatMap(secretsOf));
  expect([...used].sort()).toEqual(Object.keys(secrets).sort());
  expect(secretsOf(services['gateway'] as Service)).toEqual(['serving_password', 'field_keys', 'metrics_token']);
  for (const name of ['migrate', 'grants']) expect(secretsOf(services[name] as Service)).toEqual(['owner_password']);
  // Names that end with _FILE are read from files, so no secret is in the settings of a container.
  const settings = Object.values(services).flatMap(({ environment = {} }) => Object.entries(environment));
  const secret = settings.filter(([name]) => /PASSWORD|KEY|TOKEN/.test(name));
  expect(secret.filter(([name, value]) => !name.endsWith('_FILE') || !value.startsWith('/run/secrets/'))).toEqual([]);
  expect(secret.length).toBeGreaterThan(5);
});

test('the secrets are those that make-secrets.sh makes, and the certificate', async () => {
  const script = await read('production/make-secrets.sh');
  const names = Object.keys(compose.secrets).filter(name => !name.startsWith('tls_'));
  for (const name of names) expect([name, script]).toEqual([name, expect.stringContaining(name)]);
});

test('only the proxy is reached from outside, and the database from the gateway alone', () => {
  const { services, networks } = compose;
  expect(networks['inside']).toEqual({ internal: true });
  const published = Object.entries(services).flatMap(([name, { ports = [] }]) => ports.map(port => [name, port]));
  expect(published).toEqual([
    ['proxy', '443:443'],
    ['prometheus', '127.0.0.1:9090:9090'],
  ]);
  expect(services['database']?.networks).toEqual(['inside']);
  for (const { security_opt: options } of Object.values(services)) expect(options).toEqual(['no-new-privileges:true']);
});

test('all that runs on but the database can write nowhere and has no rights of root, and says whether it is healthy', () => {
  const running = Object.entries(compose.services).filter(([, { restart }]) => restart === 'unless-stopped');
  expect(running.map(([name]) => name)).toEqual(['gateway', 'database', 'proxy', 'prometheus']);
  for (const [name, { read_only: isReadOnly, cap_drop: dropped, healthcheck }] of running) {
    if (name !== 'database') expect([name, isReadOnly, dropped]).toEqual([name, true, ['ALL']]);
    // The image of the gateway brings its own.
    if (name !== 'gateway') expect([name, healthcheck]).toEqual([name, expect.anything()]);
  }
});

test('what is mounted is there, and the settings are ones that are read', async () => {
  const mounted = Object.values(compose.services).flatMap(({ volumes = [] }) => volumes);
  for (const source of mounted.map(volume => volume.split(':')[0] ?? '').filter(path => path.startsWith('.'))) {
    expect((await stat(join(ROOT, 'deploy', source))).isFile()).toBe(true);
  }
  const lines = (await read('production/production.env')).split('\n').filter(line => /^[A-Z]/.test(line));
  const env = Object.fromEntries(lines.map(line => line.split(/=(.*)/s).slice(0, 2))) as Record<string, string>;
  const { auth, closeMonthly } = readConfig(env);
  expect([auth?.issuer, closeMonthly]).toEqual([env['AUTH_ISSUER'], true]);
});

test('the proxy has the file of the operations page, with the gateway of the composition', async () => {
  const [, , resolver, ...lines] = (await read('production/nginx.conf')).trimEnd().split('\n');
  expect(resolver).toMatch(/^resolver 127\.0\.0\.11 /);
  const page = (await blockOf('docs/install.md', 'nginx')).split('\n').filter(line => !line.includes('10.0.0.12'));
  expect(lines).toEqual(page.map(line => line.replace('10.0.0.11:4000', 'gateway:4000 resolve')));
});
