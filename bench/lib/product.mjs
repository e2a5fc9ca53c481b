// The gateway as it runs in production: compiled, on a PostgreSQL with an address, tokens of an issuer, keys that were
// given to it. The PostgreSQL is the one that it brings for development, in a folder of ours.
import { spawn } from 'node:child_process';
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, openSync, closeSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { cpuSeconds, peakMiB } from './processes.mjs';
import { Failure, atEnd, ownChild, stopChild } from './run.mjs';

export const PROGRAM = 'bench';
const SCOPES =
  'accounts.read beneficiaries.read beneficiaries.write owners.write statements.read transactions.read cards.read cards.write operations';
const START_MS = 180_000;
/** Those of the image and of `npm start`. The peers have them too. */
export const NODE_FLAGS = ['--max-semi-space-size=64'];
const TOKEN_SECONDS = 24 * 3600;

/**
 * @typedef {object} Product @property {string} databaseUrl @property {number} postgresPid the postmaster, parent of all
 * its servers @property {(...args: string[]) => Promise<{output: string, seconds: number, cpu: number, peakMiB:
 * number}>} tillgate runs a command to its end @property {() => Promise<string>} putKeyInFront for what is started from
 * here on; gives the id of the key that it replaces @property {(logs: string, how?: {settings?: object, root?: string})
 * => Promise<{url: string, pid: number, child: object, authorization: string, tokenOf: (claims: object) => string}>}
 * serve
 */

/**
 * Opens the product in `root` on a database in `data`, made and migrated if need be. What is in `settings` goes before
 * ours. @returns {Promise<Product>}
 */
export async function openProduct(root, data, settings = {}) {
  return productOn(root, data, { ...(await openPostgres(root, data)), settings });
}

/** The PostgreSQL that the gateway brings, in `data`, and a database in it, made if need be. */
export async function openPostgres(root, data, database = 'bench') {
  entryOf(root);
  mkdirSync(data, { recursive: true, mode: 0o711 });
  const load = file => import(pathToFileURL(resolve(root, 'dist', file)).href);
  const { startEmbeddedPostgres } = await load('lib/embedded-postgres/embedded-postgres.js');
  const postgres = await startEmbeddedPostgres(data, { program: 'Tillgate' });
  atEnd(() => postgres.stop());
  await withClient(postgres.url('postgres'), db => createDatabaseIfMissing(db, database));
  return { databaseUrl: postgres.url(database), postgresPid: postmasterOf(join(data, 'postgres')) };
}

/** @param {import('pg').Client} db */
export async function createDatabaseIfMissing(db, name, how = '') {
  const { rowCount } = await db.query('SELECT FROM pg_database WHERE datname = $1', [name]);
  if (rowCount === 0) await db.query(`CREATE DATABASE ${name} TEMPLATE template0 ${how}`);
}

export async function withClient(url, use) {
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  try {
    return await use(db);
  } finally {
    await db.end();
  }
}

/** The process that is the parent of all of a server's processes. */
export function postmasterOf(cluster) {
  return Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0]);
}

/**
 * The product in `root` on a database that runs, migrated if need be. `folder` keeps its keys. `settings` go before
 * ours.
 * @returns {Promise<Product>}
 */
export async function productOn(root, folder, { databaseUrl, postgresPid, settings = {} }) {
  if (Number(process.versions.node.split('.')[0]) < 26) {
    throw new Failure('Node.js 26 is needed: start it as `npm run ...`, which finds the one that the gateway brings.');
  }
  const main = entryOf(root);
  const issuer = await startIssuer();
  const run = (args, env, stdio, flags = [], entry = main) =>
    ownChild(spawn(process.execPath, [...flags, entry, ...args], { env, stdio }));
  const env = {
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    DATA_DIR: folder,
    DATABASE_URL: databaseUrl,
    FIELD_KEYS: '',
    HOST: '127.0.0.1',
    PORT: '0',
    AUTH_ISSUER: issuer.name,
    AUTH_AUDIENCE: issuer.audience,
    AUTH_JWKS_URL: issuer.keysUrl,
    // One client sends all of the load.
    RATE_LIMIT_PER_SECOND: '1000000',
    ...settings,
  };

  async function tillgate(...args) {
    const started = performance.now();
    const child = run(args, env, ['ignore', 'pipe', 'pipe']);
    let output = '';
    let errors = '';
    let [peak, cpu] = [NaN, NaN];
    child.stdout.on('data', chunk => (output += chunk));
    child.stderr.on('data', chunk => (errors += chunk));
    const watch = setInterval(() => {
      peak = peakMiB(child.pid) || peak;
      cpu = cpuSeconds(child.pid) || cpu;
    }, 100);
    const [code] = await once(child, 'close');
    clearInterval(watch);
    if (code !== 0) throw new Failure(`tillgate ${args.join(' ')} failed (${code}):\n${output}${errors.slice(-2000)}`);
    return { output: output.trim(), seconds: (performance.now() - started) / 1000, cpu, peakMiB: peak };
  }

  // The ring cannot be empty in production, and printing a key needs none.
  const newKey = async () => {
    const child = run(['keys', 'generate'], { PATH: process.env.PATH }, ['ignore', 'pipe', 'pipe']);
    return (await spawnOnce(child)).output.trim();
  };
  const keyFile = join(folder, 'bench-keys');
  if (!existsSync(keyFile)) writeFileSync(keyFile, await newKey(), { mode: 0o600 });
  env.FIELD_KEYS = readFileSync(keyFile, 'utf8').trim();
  await tillgate('migrate');

  async function putKeyInFront() {
    const [outdated] = env.FIELD_KEYS.split(':');
    env.FIELD_KEYS = `${await newKey()},${env.FIELD_KEYS}`;
    return outdated;
  }

  async function serve(logs, { settings: more = {}, root: from = root } = {}) {
    mkdirSync(logs, { recursive: true });
    const logFile = join(logs, 'tillgate.log');
    const log = openSync(logFile, 'w');
    // One JSON line a request goes into the file, as a container's standard output would.
    const child = run(['serve'], { ...env, ...more }, ['ignore', log, log], NODE_FLAGS, entryOf(from));
    closeSync(log);
    const url = await addressIn(logFile, child);
    return { url, pid: child.pid, child, authorization: issuer.token(), tokenOf: claims => issuer.token(claims) };
  }

  return { databaseUrl, postgresPid, tillgate, putKeyInFront, serve };
}

function entryOf(root) {
  const entry = resolve(root, 'dist/src/main.js');
  if (!existsSync(entry)) throw new Failure(`There is no ${entry}: give \`npm ci && npm run build\` in ${root} first.`);
  return entry;
}

async function spawnOnce(child) {
  let output = '';
  child.stdout.on('data', chunk => (output += chunk));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Failure(`A command of the gateway failed (${code}).`);
  return { output };
}

/** Waits for the address that a server prints on a line of its own once it serves. */
export async function addressIn(logFile, child) {
  const giveUpAt = Date.now() + START_MS;
  for (;;) {
    const text = readFileSync(logFile, 'utf8');
    const [, url] = /^(http:\/\/\S+)$/m.exec(text) ?? [];
    if (url) return url;
    if (child.exitCode !== null || child.signalCode !== null || Date.now() > giveUpAt) {
      await stopChild(child);
      throw new Failure(`A server did not start. ${logFile} ends with:\n${text.slice(-2000)}`);
    }
    await sleep(50);
  }
}

/** Signs access tokens (RFC 9068), and gives the gateway the key that it verifies them with. */
async function startIssuer() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = { ...publicKey.export({ format: 'jwk' }), kid: 'bench', alg: 'ES256', use: 'sig' };
  const server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ keys: [key] }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  const [name, audience] = ['https://issuer.bench.test', 'tillgate'];
  return {
    name,
    audience,
    keysUrl: `http://127.0.0.1:${server.address().port}/keys`,
    /** As a request sends it; other claims go before the usual ones. */
    token(changes = {}) {
      const now = Math.floor(Date.now() / 1000);
      const claims = { iss: name, aud: audience, iat: now, exp: now + TOKEN_SECONDS, jti: randomUUID(), sub: 'bench' };
      const signed = [
        { alg: 'ES256', typ: 'at+jwt', kid: key.kid },
        { ...claims, client_id: 'bench', program: PROGRAM, scope: SCOPES, ...changes },
      ]
        .map(part => Buffer.from(JSON.stringify(part)).toString('base64url'))
        .join('.');
      const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' });
      return `Bearer ${signed}.${signature.toString('base64url')}`;
    },
  };
}
