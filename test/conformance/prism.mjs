import { spawn } from 'node:child_process';
import { Agent } from 'node:http';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { replay, send } from './traffic.mjs';

const PRISM = fileURLToPath(new URL('node_modules/.bin/prism', import.meta.url));
/** Prism works on one request at a time; more only wait. */
const AT_ONCE = 4;
const START_MS = 60_000;
const EMPTY_OBJECT = Buffer.from('{}').toString('base64');

/** What Prism finds wrong, a text for each exchange. */
export async function violationsIn(document, exchanges) {
  const upstream = await replay(exchanges);
  const prism = spawn(PRISM, [
    'proxy',
    document,
    upstream.url,
    '--port',
    '0',
    '--errors',
    'false',
    '--verboseLevel',
    'info',
  ]);
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  try {
    const url = await addressOf(prism);
    const found = [];
    const waiting = exchanges.entries();
    const work = async () => {
      for (const [index, exchange] of waiting) found.push(...(await judge(url, exchange, index, agent)));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return found;
  } finally {
    agent.destroy();
    prism.kill();
    upstream.close();
  }
}

async function judge(url, exchange, index, agent) {
  const { method, path, body, answer } = exchange;
  const where = `${method} ${path}, ${answer.status}`;
  const answered = await send(url, exchange, index, agent).catch(error => error);
  if (answered instanceof Error) return [`${where}: ${answered.message}`];
  const { status, headers } = answered;
  if (status !== answer.status) return [`${where}: Prism answered ${status} in place of the gateway`];
  const violations = listed(headers['sl-violations'] ?? '[]');
  // A refused request is meant to be wrong. One that was accepted is not; an empty object may stand for no body, and
  // the body of a DELETE means nothing (RFC 9110, 9.3.5).
  const mayHaveBody = body === EMPTY_OBJECT || method === 'DELETE';
  const meant = violations.filter(({ location, message }) => {
    if (answer.status >= 400) return location[0] !== 'request';
    return !(mayHaveBody && message.startsWith('No supported content types'));
  });
  return meant.map(({ location, message }) => `${where}: ${location.join('.')} ${message}`);
}

/** A list with 'Too many violations!' before it is cut off somewhere: what is whole of it counts. */
function listed(violations) {
  if (violations.startsWith('[')) return JSON.parse(violations);
  return JSON.parse(`${violations.slice(violations.indexOf('['), violations.lastIndexOf('},{'))}}]`);
}

/** Resolves once Prism says where it listens. */
function addressOf(prism) {
  return new Promise((resolve, reject) => {
    let printed = '';
    const timer = setTimeout(() => reject(new Error(`Prism did not start: ${printed}`)), START_MS);
    prism.on('exit', () => reject(new Error(`Prism ended: ${printed}`)));
    for (const stream of [prism.stdout, prism.stderr]) {
      stream.on('data', chunk => {
        if (printed.length < 100_000) printed += chunk;
        const [, url] = /Prism is listening on (http:\S+)/.exec(stripVTControlCharacters(printed)) ?? [];
        if (url === undefined) return;
        clearTimeout(timer);
        resolve(url);
      });
    }
  });
}
