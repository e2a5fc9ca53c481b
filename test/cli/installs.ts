/**
 * Starts what production installs (`npm ci --omit=dev --omit=optional`, and the compiled sources) on each Node.js that package.json
 * allows, against a PostgreSQL, and uses it as its users do; and on one that is too old. It needs a package registry. DATABASE_URL names
 * the server; without it one is started.
 */
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { startEmbeddedPostgres } from '../../lib/embedded-postgres/embedded-postgres.js';
import { onServer } from '../support/postgres.js';

const execute = promisify(execFile);

/** Pages of optional packages, which say what to install. */
const OPTIONAL_PAGES = { '/graphiql': '@graphql-yoga/render-graphiql', '/docs': '@scalar/fastify-api-reference' };

interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

const folder = await mkdtemp(join(tmpdir(), 'tillgate-installs-'));
const app = join(folder, 'app');
const { engines } = JSON.parse(await readFile('package.json', 'utf8')) as { engines: { node: string } };
const least = engines.node.replace('>=', '');
const embedded = process.env['DATABASE_URL']
  ? null
  : await startEmbeddedPostgres(join(folder, 'postgres'), { program: 'Tillgate' });
const server = process.env['DATABASE_URL'] ?? embedded?.url('postgres') ?? '';
try {
  await installApp();
  for (const version of [least, '22', '24', '26']) {
    const node = await installNode(version);
    const { stdout } = await execute(node, ['--version']);
    await tryOn(node, `installs_${version.replaceAll('.', '_')}`);
    console.log(`ok: Node.js ${stdout.trim()} (${version})`);
  }
  await tryTooOld(await installNode('20'));
  console.log('ok: Node.js 20 is refused');
} finally {
  await embedded?.stop();
  await rm(folder, { recursive: true, force: true });
}

/** As docs/operations.md says. */
async function installApp(): Promise<void> {
  await mkdir(app);
  for (const name of ['package.json', 'package-lock.json']) await cp(name, join(app, name));
  for (const name of ['src', 'lib', 'migrations', 'console']) {
    await cp(join('dist', name), join(app, 'dist', name), { recursive: true });
  }
  await npm(app, 'ci', '--omit=dev', '--omit=optional');
}

/** The package `node` brings the program in a script that runs when it is installed, which npm has to be allowed. */
async function installNode(version: string): Promise<string> {
  const place = join(folder, `node-${version}`);
  await mkdir(place);
  await writeFile(join(place, 'package.json'), JSON.stringify({ private: true, allowScripts: { node: true } }));
  await npm(place, 'install', `node@${version}`);
  return join(place, 'node_modules', '.bin', 'node');
}

async function npm(cwd: string, ...args: readonly string[]): Promise<void> {
  await execute('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], { cwd });
}

async function tryOn(node: string, name: string): Promise<void> {
  await onServer(server, `CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = name;
  const env = { DATABASE_URL: url.href, DATA_DIR: join(folder, name), DEMO_DATA: 'true', PORT: '0' };
  try {
    await tryWithout(node);
    assert.equal((await tillgate(node, ['migrate'], env)).status, 0);
    const gateway = spawn(node, ['--max-semi-space-size=32', '--enable-source-maps', 'dist/src/main.js', 'serve'], {
      ...{ cwd: app, env, stdio: ['ignore', 'pipe', 'inherit'] as const },
    });
    try {
      await useIt(await addressOf(gateway.stdout), node, env);
    } finally {
      const closed = once(gateway, 'close');
      gateway.kill('SIGTERM');
      assert.deepEqual(await closed, [0, null]);
    }
  } finally {
    await onServer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  }
}

/** The embedded PostgreSQL is optional, so its absence is told with what to do. */
async function tryWithout(node: string): Promise<void> {
  const { status, stdout, stderr } = await tillgate(node, ['serve'], { DATA_DIR: join(folder, 'none'), PORT: '0' });
  assert.deepEqual({ status, stdout }, { status: 1, stdout: '' });
  assert.match(stderr, /^The embedded PostgreSQL \(\S+\) is not installed\. Set DATABASE_URL .*\n$/);
}

async function tryTooOld(node: string): Promise<void> {
  const { status, stdout, stderr } = await tillgate(node, ['serve'], {});
  assert.deepEqual({ status, stdout }, { status: 2, stdout: '' });
  assert.match(stderr, new RegExp(`^Tillgate needs Node\\.js ${least} or newer, .*\\n$`));
}

async function addressOf(printed: AsyncIterable<Buffer>): Promise<string> {
  let seen = '';
  // Read on to the end, since a gateway whose log nobody reads keeps it.
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  void (async () => {
    for await (const chunk of printed) {
      seen += chunk.toString();
      const [, url] = /^(http\S+)$/m.exec(seen) ?? [];
      if (url) resolve(url);
    }
    reject(new Error(`It does not serve: ${seen}`));
  })();
  return promise;
}

/** Both doors, a write that is sent twice, a document, the pages, an import and a command beside the gateway. */
async function useIt(url: string, node: string, env: Record<string, string>): Promise<void> {
  const token = (await tillgate(node, ['token', '--program', 'demo'], env)).stdout.trim();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'x-idempotency-key': 'one' };
  const get = async (path: string, accept = '*/*'): Promise<Response> => {
    const answer = await fetch(url + path, { headers: { ...headers, accept } });
    assert.equal(answer.status, 200, path);
    return answer;
  };
  const asked = await fetch(`${url}/graphql`, {
    ...{ method: 'POST', headers },
    body: JSON.stringify({ query: '{ account(accountId: "demo-1001") { owners { name { first } } } }' }),
  });
  const { data } = (await asked.json()) as { data: unknown };
  assert.deepEqual(data, { account: { owners: [{ name: { first: 'Maren' } }, { name: { first: 'Tobias' } }] } });

  const body = JSON.stringify({
    ...{ name: { first: 'Ada', last: 'Villaseñor' }, beneficiaryType: 'PRIMARY' },
    ...{ relationship: 'CHILD', sharePercentage: 100 },
  });
  const add = () => fetch(`${url}/accounts/demo-1009/beneficiaries`, { method: 'POST', headers, body });
  const answers = [await add(), await add()];
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 201],
  );
  assert.equal(answers[1]?.headers.get('idempotent-replayed'), 'true');

  const closed = await tillgate(node, ['statements', 'close', '--month', '2026-01'], env);
  assert.equal(closed.status, 0, closed.stderr);
  const { statements } = (await (await get('/accounts/demo-1001/statements')).json()) as {
    statements: { statementId: string }[];
  };
  const document = await get(`/accounts/demo-1001/Statements/${statements[0]?.statementId}`);
  assert.equal(Buffer.from(await document.arrayBuffer()).toString('latin1', 0, 5), '%PDF-');
  await get('/', 'text/html');
  for (const [page, npmPackage] of Object.entries(OPTIONAL_PAGES)) {
    const answer = await fetch(url + page, { headers: { accept: 'text/html' } });
    assert.equal(answer.status, 404, page);
    assert.match(await answer.text(), new RegExp(`is not installed: install the package <code>${npmPackage}</code>`));
  }
  for (const path of ['/openapi.json', '/metrics', '/readyz']) await get(path);

  const line = { customerId: '5f1c8a52-6f0e-4c0b-9d55-0c8f0f6f2f01', name: { first: 'Ines', last: 'Falkenrath' } };
  const imported = await tillgate(node, ['import', 'customers', '-', '--program', 'harbor'], env, JSON.stringify(line));
  assert.match(imported.stdout, /^customers: 1 new,/, imported.stderr);
  assert.equal((await tillgate(node, ['keys', 'rotate'], env)).status, 0);
}

async function tillgate(
  node: string,
  args: readonly string[],
  env: Record<string, string>,
  input = '',
): Promise<Ended> {
  const child = spawn(node, ['--enable-source-maps', 'dist/src/main.js', ...args], { cwd: app, env });
  child.stdin.end(input);
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number]>,
  ]);
  return { status, stdout, stderr };
}
