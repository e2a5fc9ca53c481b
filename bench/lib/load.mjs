// Sends load: with wrk where it is installed, else with autocannon, which is one of our packages. Within a run all
// servers get the same.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { accountId } from '../make-ledger.mjs';
import { Failure, ownChild } from './run.mjs';
import { cursorOf, filled, partsOf } from './workloads.mjs';

/**
 * @typedef {object} Target @property {string} url @property {import('./workloads.mjs').Request} request @property
 * {{accounts: number, deepest: {first: number, last: number}}} ranges what values are drawn from @typedef {{requests:
 * number, seconds: number, p50: number, p99: number, bytes: number, failed: number}} Figures times in milliseconds
 */

export const GENERATORS = ['wrk', 'autocannon'];

export function installedGenerator() {
  return spawnSync('wrk', ['--version']).error ? 'autocannon' : 'wrk';
}

/** @param {Target} target @returns {Promise<Figures>} */
export function load(target, { generator, folder, connections, seconds, seed }) {
  return generator === 'wrk'
    ? wrk(target, { folder, connections, seconds, seed })
    : autocannon(target, { connections, seconds });
}

/**
 * Sends a fixed number of requests and waits for every answer: for servers that need seconds for one. @returns
 * {Promise<Figures>}
 */
export async function few(target, { requests, connections }) {
  const draw = drawer(target.ranges);
  const times = [];
  let [left, bytes, failed] = [requests, 0, 0];
  const started = performance.now();
  const one = async () => {
    while (left-- > 0) {
      const from = performance.now();
      const { status, text } = await ask(target, draw());
      times.push(performance.now() - from);
      bytes += text.length;
      if (status >= 300) failed += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, one));
  times.sort((a, b) => a - b);
  const at = share => times[Math.min(times.length - 1, Math.floor(times.length * share))];
  return { requests, seconds: (performance.now() - started) / 1000, p50: at(0.5), p99: at(0.99), bytes, failed };
}

/** Sends one request. */
export async function ask({ url, request }, values) {
  const { method, path, headers, body } = filledRequest(request, values);
  const answer = await fetch(new URL(path, url), { method, headers, ...(method !== 'GET' && { body }) });
  return { status: answer.status, text: await answer.text() };
}

function filledRequest({ method, path, headers, body }, values) {
  const fill = text => filled(text, values);
  const filledHeaders = Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, fill(text)]));
  return { method, path: fill(path), headers: filledHeaders, body: fill(body) };
}

function drawer({ accounts, deepest }) {
  const between = (first, last) => first + Math.floor(Math.random() * (last - first + 1));
  return () => {
    const chosen = new Set();
    while (chosen.size < 20) chosen.add(accountId(between(2, accounts)));
    const ids = [...chosen];
    const offset = String(deepest.first + 10 * between(0, (deepest.last - deepest.first) / 10));
    const cursor = cursorOf(deepest, Number(offset));
    return { account: ids[0], key: crypto.randomUUID(), offset, cursor, csv: ids.join(','), ids: JSON.stringify(ids) };
  };
}

async function wrk({ url, request, ranges }, { folder, connections, seconds, seed }) {
  const script = join(folder, 'load.lua');
  writeFileSync(script, luaOf(request, new URL(url).host, ranges, seed));
  const args = ['-t', '1', '-c', `${connections}`, '-d', `${seconds}s`, '--timeout', '30s', '-s', script, url];
  const child = ownChild(spawn('wrk', args, { stdio: ['ignore', 'pipe', 'pipe'] }));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += chunk));
  await once(child, 'close');
  const [, line] = /^figures (.*)$/m.exec(output) ?? [];
  if (!line) throw new Failure(`wrk failed:\n${output}`);
  const [requests, us, p50, p99, bytes, failed] = line.split(' ').map(Number);
  return { requests, seconds: us / 1e6, p50: p50 / 1000, p99: p99 / 1000, bytes, failed };
}

/** So many cursors of deep pages at most are written into a script. */
const MOST_CURSORS = 1000;

/** Cursors of deep pages, as texts of Lua. */
function cursorsOf(deepest) {
  const count = Math.min(MOST_CURSORS, (deepest.last - deepest.first) / 10 + 1);
  const offsets = Array.from({ length: count }, (_, n) => deepest.first + 10 * n);
  return offsets.map(offset => `'${cursorOf(deepest, offset)}'`).join(', ');
}

/**
 * A script that makes each request of texts and drawn values. A JSON string is a string of Lua as long as it is ASCII.
 */
function luaOf({ method, path, headers, body }, host, { accounts, deepest }, seed) {
  const lines = Object.entries({ Host: host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const parts = text =>
    `{ ${partsOf(text)
      .map(part => JSON.stringify(part))
      .join(', ')} }`;
  const length = method === 'GET' ? `'\\r\\n'` : `'Content-Length: ' .. #text .. '\\r\\n\\r\\n' .. text`;
  return `
local head, body = ${parts(`${method} ${path} HTTP/1.1\r\n${lines.join('')}`)}, ${parts(body)}
local random, format, concat = math.random, string.format, table.concat
local run, serial = '${crypto.randomUUID()}', 0
local function account() return format('bench-%06d', random(2, ${accounts})) end
local function twenty()
  local list, seen = {}, {}
  while #list < 20 do
    local one = account()
    if not seen[one] then seen[one] = true; list[#list + 1] = one end
  end
  return list
end
local cursors = { ${cursorsOf(deepest)} }
local draw = {
  account = account,
  csv = function() return concat(twenty(), ',') end,
  ids = function() return '["' .. concat(twenty(), '","') .. '"]' end,
  offset = function() return format('%d', ${deepest.first} + 10 * random(0, ${(deepest.last - deepest.first) / 10})) end,
  cursor = function() return cursors[random(#cursors)] end,
  key = function() serial = serial + 1; return run .. '-' .. serial end,
}
local function fill(parts)
  local texts = {}
  for n = 1, #parts do texts[n] = n % 2 == 1 and parts[n] or draw[parts[n]]() end
  return concat(texts)
end
function init() math.randomseed(${seed}) end
function request()
  local text = fill(body)
  return fill(head) .. ${length}
end
function done(summary, latency)
  local e = summary.errors
  print(format('figures %d %d %d %d %d %d', summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), summary.bytes,
    e.status + e.connect + e.read + e.write + e.timeout))
end
`;
}

/**
 * `rate`: so many requests a second over all connections; absent: as many as are answered. @returns {Promise<Figures>}
 */
export async function autocannon({ url, request, ranges }, { connections, seconds, rate }) {
  const { default: cannon } = await import('autocannon');
  const draw = drawer(ranges);
  const result = await cannon({
    url,
    connections,
    duration: seconds,
    timeout: 30,
    ...(rate && { overallRate: rate }),
    requests: [
      {
        setupRequest: sent => ({
          ...sent,
          ...filledRequest(request, draw()),
        }),
      },
    ],
  });
  const failed = result.non2xx + result.errors + result.timeouts;
  const { p50, p99 } = result.latency;
  return {
    requests: result['2xx'] + result.non2xx,
    seconds: result.duration,
    p50,
    p99,
    bytes: result.throughput.total,
    failed,
  };
}
