// Right answers first, then load: the one way to measure a server, for every command that compares servers in rounds.
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { ask, few, load } from './load.mjs';
import { busySeconds, cpuSeconds } from './processes.mjs';
import { Failure } from './run.mjs';
import { canonical, casesOf, REQUESTS, rightAnswer } from './workloads.mjs';

/**
 * @typedef {object} Site the rows that a server reads @property {import('pg').Client} db asks for the right answers,
 * and takes away what was written @property {import('pg').Client[]} nodes one client for each server of PostgreSQL that
 * must come to rest before and after @property {string[]} [peerTables] tables of the peers that are emptied with ours
 *
 * @typedef {object} Server @property {string} name @property {string} kind whose requests it is sent: a key of REQUESTS
 * @property {string} url @property {object} requests by workload @property {Site} site @property {Record<string,
 * number[]>} parts process ids by what they are, the server's own first; each counts with all processes below it
 * @property {Set<string>} slow workloads of which it is sent a few requests only @property {Record<string, number>}
 * answerBytes how long right answers are, by workload
 *
 * @typedef {{ranges: object, folder: string, options: {generator: string, seconds: number, warm: number, beneficiaries:
 * number}}} Bench
 */

export const CONNECTIONS = 32;
/**
 * A product that needs longer for one request is sent a few instead of a load, since what queues up would take minutes.
 */
const SLOW_MS = 200;
const CHECK_TRIES = 3;
const FEW = { requests: 8, connections: 2 };
const [DEADLOCK, CLEAN_UP_TRIES] = ['40P01', 5];
const QUIET_MS = 60_000;
const REWARM_SECONDS = 1;

/** A gateway that was started, as a server to measure. @returns {Server} */
export function gatewayServer(name, { url, pid, authorization }, site, parts) {
  const withToken = Object.entries(REQUESTS.gateway).map(([workload, request]) => [
    workload,
    { ...request, headers: { Authorization: authorization, ...request.headers } },
  ]);
  const requests = Object.fromEntries(withToken);
  return serverOf({ name, kind: 'gateway', url, requests, site, parts: { gateway: [pid], ...parts } });
}

/** @returns {Server} */
export function serverOf(server) {
  return { ...server, slow: new Set(), answerBytes: {} };
}

/**
 * How many transactions the large account has, and the offsets of W5: its last 10,000 transactions of the large
 * account, or where it is small its older half.
 */
export function deepestOf(largest) {
  const first = largest > 20_000 ? largest - 10_000 : Math.ceil(largest / 20) * 10;
  return { largest, first, last: first + Math.floor((largest - 10 - first) / 10) * 10 };
}

// ---- Do all give the same rows?

/** @param {Bench} bench @param {Server[]} servers */
export async function checkAll(bench, workloads, servers) {
  // A run that was killed may have left something.
  await cleanUpAll(bench, servers);
  const wrong = [];
  for (const workload of workloads) {
    for (const server of servers.filter(({ requests }) => requests[workload])) {
      for (const values of casesOf(workload, bench.ranges)) {
        wrong.push(...(await check(bench, server, workload, values)));
      }
    }
  }
  await cleanUpAll(bench, servers);
  if (wrong.length > 0) throw new Failure(`Wrong answers, so nothing was measured:\n${wrong.join('\n')}`);
  console.log(`All answers are right: ${servers.map(({ name }) => name).join(', ')}.`);
}

async function check({ ranges }, server, workload, values) {
  const target = { url: server.url, request: server.requests[workload], ranges };
  const wanted = await rightAnswer(server.site.db, workload, values);
  const wrong = why => [`${server.name} ${workload}: ${why}`];
  await ask(target, values);
  const { status, text, fastest } = await fastestOf(target, values);
  if (fastest > SLOW_MS) server.slow.add(workload);
  if (status !== 200) return wrong(`status ${status}: ${text.slice(0, 500)}`);
  server.answerBytes[workload] = text.length;
  let given;
  try {
    given = canonical(target.request.read(JSON.parse(text)));
  } catch {
    return wrong(text.slice(0, 500));
  }
  if (workload === 'W7') return checkWrite(given, wanted, await ask(target, values), target, wrong);
  return isDeepStrictEqual(given, wanted) ? [] : wrong(difference(wanted, given));
}

/** The last answer, and the shortest time of up to so many tries: on a busy machine one slow answer says nothing. */
async function fastestOf(target, values) {
  let [fastest, answer] = [Infinity];
  for (let tries = 0; tries < CHECK_TRIES && fastest > SLOW_MS; tries++) {
    const started = performance.now();
    answer = await ask(target, values);
    fastest = Math.min(fastest, performance.now() - started);
  }
  return { ...answer, fastest };
}

/** The key was sent before, so all answers must name the one beneficiary that was added under it. */
function checkWrite({ beneficiaryId, ...given }, wanted, again, target, wrong) {
  const replayed = target.request.read(JSON.parse(again.text)).beneficiaryId;
  if (!beneficiaryId || replayed !== beneficiaryId) return wrong('the same key wrote twice');
  return isDeepStrictEqual(given, wanted) ? [] : wrong(difference(wanted, given));
}

function difference(wanted, given, path = '') {
  const bothObjects = [wanted, given].every(value => value !== null && typeof value === 'object');
  if (!bothObjects) return `${path || 'answer'}: ${JSON.stringify(wanted)} expected, ${JSON.stringify(given)} given`;
  const names = new Set([...Object.keys(wanted), ...Object.keys(given)]);
  const name = [...names].find(key => !isDeepStrictEqual(wanted[key], given[key]));
  return difference(wanted[name], given[name], `${path}/${name}`);
}

// ---- Load.

/**
 * Rounds are interleaved: round by round, workload by workload, server by server. @param {Bench} bench @param
 * {Server[]} servers
 */
export async function measureAll(bench, workloads, servers) {
  const { rounds, generator } = bench.options;
  console.log(
    `Rounds with ${generator}. Each line: requests/s, p50, p99 and p50 alone in ms, CPU s/1000 of server and PostgreSQL.`,
  );
  const results = workloads.map(workload => ({
    workload,
    rows: servers.filter(({ requests }) => requests[workload]).map(server => ({ server, rounds: [] })),
  }));
  for (let round = 0; round < rounds; round++) {
    for (const { workload, rows } of results) {
      for (const row of rows) {
        const figures = await measure(bench, row.server, workload, round);
        row.rounds.push(figures);
        const { perSecond, p50, p99, p50Alone, cpuServer, cpuPostgres } = figures;
        const text = [perSecond, p50, p99, p50Alone, cpuServer, cpuPostgres].map(number =>
          number.toFixed(3).padStart(10),
        );
        console.log(`round ${round + 1} ${workload} ${row.server.name.padEnd(15)}${text.join('')}`);
      }
    }
  }
  return results;
}

/**
 * One round of one workload against one server. Times in ms, CPU in seconds for 1,000 requests. @param {Bench} bench
 * @param {Server} server
 */
async function measure(bench, server, workload, round) {
  const { options, ranges, folder } = bench;
  const { site } = server;
  const target = { url: server.url, request: server.requests[workload], ranges };
  const slow = server.slow.has(workload);
  const send = (connections, seconds, seed) =>
    slow
      ? few(target, connections === 1 ? { requests: 2, connections: 1 } : FEW)
      : load(target, { generator: options.generator, folder, connections, seconds, seed });
  if (!slow) await send(CONNECTIONS, round === 0 ? options.warm : REWARM_SECONDS, 100 + round);
  if (workload === 'W7') await cleanUp(bench, site);
  await quiet(site);

  const before = cpuOf(server);
  const figures = await send(CONNECTIONS, options.seconds, 200 + round);
  const used = differenceOf(cpuOf(server), before);
  await quiet(site);
  await refuseBad(bench, server, workload, figures);
  if (workload === 'W7') await cleanUp(bench, site);
  const alone = await send(1, Math.max(1, Math.round(options.seconds / 5)), 300 + round);
  if (workload === 'W7') await cleanUp(bench, site);

  const each = seconds => (seconds / figures.requests) * 1000;
  const parts = Object.fromEntries(Object.keys(server.parts).map(part => [part, each(used.parts[part])]));
  const [cpuServer, ...others] = Object.values(parts);
  const cpuPostgres = others.reduce((sum, cpu) => sum + cpu, 0);
  return {
    perSecond: figures.requests / figures.seconds,
    p50: figures.p50,
    p99: figures.p99,
    p50Alone: alone.p50,
    cpuServer,
    cpuPostgres,
    cpu: cpuServer + cpuPostgres,
    parts,
    few: slow,
    generator: each(used.ours),
    strangers: used.strangers / figures.seconds,
  };
}

/** What the parts of a server, this process with its load generator, and everything else on the machine have used. */
function cpuOf(server) {
  const parts = Object.fromEntries(
    Object.entries(server.parts).map(([part, pids]) => [part, pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0)]),
  );
  return { parts, ours: cpuSeconds(process.pid), all: busySeconds() };
}

function differenceOf(after, before) {
  const parts = Object.fromEntries(
    Object.keys(after.parts).map(part => [part, after.parts[part] - before.parts[part]]),
  );
  // Servers are children of this process; PostgreSQL's are not.
  const [server, ...others] = Object.values(parts);
  const ours = after.ours - before.ours;
  const strangers = after.all - before.all - ours - others.reduce((sum, cpu) => sum + cpu, 0);
  return { parts, ours: ours - server, strangers: Math.max(0, strangers) };
}

/**
 * A server that answers with errors is fast. So every answer must be a success as long as the right ones, and every
 * write a row.
 */
async function refuseBad({ options }, { name, kind, site, answerBytes }, workload, { requests, failed, bytes }) {
  const fail = why => {
    throw new Failure(`${name} ${workload}: ${why}, so the figures say nothing.`);
  };
  if (requests === 0) fail('no request was answered');
  if (failed > 0) fail(`${failed} of ${requests} requests failed`);
  if (bytes / requests < answerBytes[workload] * 0.8) fail(`answers have ${Math.round(bytes / requests)} bytes`);
  if (workload !== 'W7') return;
  const text = kind === 'gateway' ? 'beneficiary WHERE position > $1' : 'peer_beneficiary WHERE position > 0 * $1::int';
  const { rows } = await site.db.query(`SELECT count(*)::int AS written FROM ${text}`, [options.beneficiaries]);
  if (rows[0].written < requests) fail(`${requests} answers, and ${rows[0].written} rows`);
}

/**
 * Until PostgreSQL has done what the load before it has left behind: a closed connection ends no statement. @param
 * {Site} site
 */
async function quiet({ nodes }) {
  const giveUpAt = Date.now() + QUIET_MS;
  for (let calm = 0; calm < 3; await sleep(20)) {
    const busy = await Promise.all(nodes.map(busyIn));
    calm = busy.some(Boolean) ? 0 : calm + 1;
    if (Date.now() > giveUpAt) throw new Failure('PostgreSQL does not come to rest.');
  }
}

async function busyIn(db) {
  const { rows } = await db.query(`SELECT count(*)::int AS busy FROM pg_stat_activity WHERE pid <> pg_backend_pid()
    AND (backend_type = 'client backend' AND state IN ('active', 'idle in transaction') OR backend_type IN ('autovacuum worker', 'parallel worker'))`);
  return rows[0].busy > 0;
}

async function cleanUpAll(bench, servers) {
  for (const site of new Set(servers.map(server => server.site))) await cleanUp(bench, site);
}

/** What writes leave behind, by the names that it has had: the build before may have other tables. */
const WRITTEN = ['event', 'account_event', 'program_event', 'denied_attempt', 'idempotency_key'];

/** Takes away what was written. Events are append-only, and only the owner of the whole server can go round that. */
async function cleanUp({ options }, site) {
  await quiet(site);
  const { rows } = await site.db.query(
    `SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace AND relname = ANY ($1)`,
    [[...WRITTEN, ...(site.peerTables ?? [])]],
  );
  // The first setting takes the second one to the nodes of Citus, and means nothing elsewhere.
  // One by one: Citus would take a whole text of statements to the nodes with a setting.
  const texts = [
    'BEGIN',
    "SET LOCAL citus.propagate_set_commands = 'local'",
    'SET LOCAL session_replication_role = replica',
    `TRUNCATE ${rows.map(({ name }) => name).join(', ')}`,
    `DELETE FROM beneficiary WHERE position > ${options.beneficiaries}`,
    'COMMIT',
  ];
  for (let tries = 1; ; tries++) {
    try {
      for (const text of texts) await site.db.query(text);
      break;
    } catch (error) {
      await site.db.query('ROLLBACK');
      // A gateway that gives events their positions may hold one table and wait for the other.
      if (error.code !== DEADLOCK || tries === CLEAN_UP_TRIES) throw error;
    }
  }
  // An account has the head of its chain, so that each write leaves a version of its row.
  for (const table of ['beneficiary', 'account']) await site.db.query(`VACUUM ${table}`);
}
