import { execFile } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Job } from 'kubernetes-types/batch/v1.js';
import { parse, parseAllDocuments } from 'yaml';
import { tillgate, type CommandResult } from '../cli/command-line.js';
import { ROOT } from '../docs/fences.js';
import { embeddedPostgres, PostgresServer } from '../installed/postgres.js';
import { HttpClient } from '../support/http.js';
import { freePort } from './proxy.js';

const execute = promisify(execFile);
/** Each of these has a meaning of its own in an address, in YAML or in a shell. */
const AWKWARD_PASSWORD = `p@ss/w:rd?#[1]&%41+"' $x\\`;

/** Where a gateway says its address: on a line of its own, and in production in its log. */
const SERVING = /(?:^|"url":")(http[^"\s]+)"?.*\n/m;

interface Service {
  readonly image: string;
  readonly command?: readonly string[];
  readonly env_file?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

let folder: string;
let secrets: string;
let server: PostgresServer;
let ofImage: Record<string, string>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tillgate-composed-'));
  secrets = join(folder, 'secrets');
  // Passwords that an operator has put there stay.
  await execute('mkdir', ['-p', secrets]);
  for (const name of ['owner_password', 'serving_password']) await writeFile(join(secrets, name), AWKWARD_PASSWORD);
  // Containers read files that were made in any shell.
  await execute('sh', ['-c', 'umask 077 && "$0" "$1"', join(ROOT, 'deploy/production/make-secrets.sh'), secrets]);
  await execute('chmod', ['711', folder]);
  server = await PostgresServer.create(embeddedPostgres() ?? '', join(folder, 'postgres'), await freePort());
  const password = AWKWARD_PASSWORD.replaceAll("'", "''");
  for (const role of ['tillgate_owner', 'tillgate_serving', 'development']) {
    await server.query(`CREATE ROLE ${role} LOGIN PASSWORD '${password}'`);
  }
  await server.query('CREATE DATABASE tillgate OWNER tillgate_owner');
  await server.query('CREATE DATABASE development OWNER development');
  await writeFile(
    join(server.folder, 'pg_hba.conf'),
    'host all tillgate 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n',
  );
  await server.reload();
  const image = await readFile(join(ROOT, 'Dockerfile'), 'utf8');
  const [, lines = ''] = /^ENV ((?:.*\\\n)*.*)$/m.exec(image) ?? [];
  ofImage = Object.fromEntries(lines.split(/\s*\\\n\s*/).map(line => line.split('='))) as Record<string, string>;
  expect(ofImage).toMatchObject({ NODE_ENV: 'production', DATA_DIR: '/data' });
});
afterAll(async () => {
  await server.stop('immediate');
  await rm(folder, { recursive: true });
});

/** Of our own image, by name. */
async function servicesOf(file: string): Promise<Readonly<Record<string, Service>>> {
  const { services } = parse(await readFile(join(ROOT, file), 'utf8'), { merge: true }) as {
    services: Record<string, Service>;
  };
  return Object.fromEntries(Object.entries(services).filter(([, { image }]) => /\btillgate\b/.test(image)));
}

/** What Compose makes of `${NAME:-usual}`. */
function interpolated(text: string, from: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$\{(\w+)(?::-([^}]*))?\}/g, (_all, name: string, usual = '') => from[name] || usual);
}

/**
 * The environment of a process in the container of a service, with this machine's places for those of the container:
 * secrets, the data directory, the database, the port.
 */
async function environmentOf(
  service: Service,
  outside: Readonly<Record<string, string>>,
  database: string,
): Promise<Record<string, string>> {
  const { env_file: file, environment = {} } = service;
  const fromFile = file ? await readFile(join(ROOT, 'deploy', file), 'utf8') : '';
  const lines = fromFile.split('\n').filter(line => /^[A-Z]/.test(line));
  const composed: Record<string, string> = {
    ...ofImage,
    ...Object.fromEntries(lines.map(line => line.split(/=(.*)/s).slice(0, 2))),
    ...Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, interpolated(value, outside)])),
  };
  const here = Object.entries(composed).map(([name, value]) => [
    name,
    value
      .replace('/run/secrets', secrets)
      .replace('@database:5432/tillgate', `@127.0.0.1:${server.port}/${database}`)
      .replace(/^\/data$/, join(folder, 'data')),
  ]);
  return { ...(Object.fromEntries(here) as Record<string, string>), HOST: '127.0.0.1', PORT: '0' };
}

async function ran(args: readonly string[], env: Record<string, string>): Promise<CommandResult> {
  return tillgate(args, env, folder).ended;
}

/** Starts it, and stops it as Compose does. Gives the answer of /readyz. */
async function served(env: Record<string, string>): Promise<[readiness: number, status: number | null]> {
  const { child, ended, printed } = tillgate(['serve'], { ...env, SHUTDOWN_GRACE_MS: '0' }, folder);
  const [, address = ''] = SERVING.exec(await printed(SERVING)) ?? [];
  const http = new HttpClient(address, () => undefined);
  const { status } = await http.send({ path: '/readyz' });
  child.kill('SIGTERM');
  return [status, (await ended).status];
}

test('files of secrets can be read by containers, and one that cannot is told of', async () => {
  const made = await readdir(secrets);
  expect(made).toContain('field_keys');
  for (const name of made) expect([name, (await stat(join(secrets, name))).mode & 0o777]).toEqual([name, 0o644]);
  await writeFile(join(secrets, 'tls.key'), '', { mode: 0o600 });
  const { stderr } = await execute(join(ROOT, 'deploy/production/make-secrets.sh'), [secrets]);
  expect(stderr).toBe(`Containers cannot read ${secrets}/tls.key. Run: chmod 644 ${secrets}/tls.key\n`);
});

test('the services of the production composition come up one after another, each with what it is given', async () => {
  const services = await servicesOf('deploy/docker-compose.production.yml');
  expect(Object.keys(services)).toEqual(['gateway', 'migrate', 'grants']);
  const { gateway, migrate, grants } = services as Record<string, Service>;
  for (const service of [migrate, grants] as Service[]) {
    const env = await environmentOf(service, {}, 'tillgate');
    const { status, stderr } = await ran(service.command ?? [], env);
    expect([service.command, status, stderr]).toEqual([service.command, 0, '']);
  }
  expect(await served(await environmentOf(gateway as Service, {}, 'tillgate'))).toEqual([200, 0]);
});

test("the migrate job of Kubernetes needs the owner's address alone", async () => {
  const documents = parseAllDocuments(await readFile(join(ROOT, 'deploy/kubernetes.yaml'), 'utf8'));
  const job = documents.map(each => each.toJS() as Job).find(({ kind }) => kind === 'Job');
  const { initContainers = [], containers = [] } = job?.spec?.template.spec ?? {};
  const password = encodeURIComponent(AWKWARD_PASSWORD);
  const DATABASE_URL = `postgres://tillgate_owner:${password}@127.0.0.1:${server.port}/tillgate`;
  const commands = [...initContainers, ...containers].map(({ args = [] }) => args);
  expect(commands.map(([name]) => name)).toEqual(['migrate', 'grants']);
  for (const command of commands) {
    const { status, stderr } = await ran(command, { ...ofImage, DATABASE_URL });
    expect([command, status, stderr]).toEqual([command, 0, '']);
  }
});

describe('the composition for development', () => {
  test.each([
    ['any password as it is', { POSTGRES_PASSWORD: AWKWARD_PASSWORD }],
    ['its own password where none is set', {}],
  ])('takes %s', async (_name, outside: Record<string, string>) => {
    const services = await servicesOf('docker-compose.yml');
    const { database } = (
      parse(await readFile(join(ROOT, 'docker-compose.yml'), 'utf8')) as {
        services: Record<string, Service>;
      }
    ).services;
    const password = interpolated(database?.environment?.['POSTGRES_PASSWORD'] ?? '', outside);
    await server.query(`ALTER ROLE development PASSWORD '${password.replaceAll("'", "''")}'`);
    const envOf = async (service: Service) => {
      const env = await environmentOf(service, outside, 'development');
      return { ...env, DATABASE_URL: (env['DATABASE_URL'] ?? '').replace('//tillgate', '//development') };
    };
    const { gateway, migrate } = services as Record<string, Service>;
    const migrated = await ran(['migrate'], await envOf(migrate as Service));
    expect([migrated.status, migrated.stderr]).toEqual([0, '']);
    const env = await envOf(gateway as Service);
    expect(await served({ ...env, DEMO_DATA: 'false' })).toEqual([200, 0]);
  });
});
