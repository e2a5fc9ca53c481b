// How long a revoked token is still accepted, by each of several processes: a client sends requests to all of them
// without a pause, and one of them is told to revoke its token.
//   npm run revocation -- [--processes 3] [--times 50]
import { randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { folderForThisRun } from './lib/folder.mjs';
import { readOptions } from './lib/options.mjs';
import { openProduct } from './lib/product.mjs';
import { digits, table } from './lib/report.mjs';
import { Failure, run } from './lib/run.mjs';

/** Documented as the most that it may take. */
const MAX_MS = 2000;
const GIVE_UP_MS = 10_000;
/** A request whose answer is small, and which needs no scope. */
const ASKED = '/viewer';

await run(async () => {
  const {
    processes,
    times,
    product: root,
  } = readOptions({
    processes: 3,
    times: 50,
    product: resolve(import.meta.dirname, '..'),
  });
  const folder = folderForThisRun();
  const product = await openProduct(root, folder);
  const gateways = [];
  for (let n = 0; n < processes; n++) gateways.push(await product.serve(join(folder, `logs-${n}`)));
  const tookMs = gateways.map(() => []);
  for (let n = 0; n < times; n++) {
    for (const [index, ms] of (await revokeOnce(gateways)).entries()) tookMs[index].push(ms);
  }
  const rows = tookMs.map((all, index) => {
    all.sort((a, b) => a - b);
    const at = share => digits(all[Math.min(all.length - 1, Math.floor(all.length * share))], 1);
    return [index === 0 ? 'which was told' : `another (${index})`, `${all.length}`, at(0.5), at(0.99), at(1)];
  });
  console.log(table(['process', 'tokens', 'p50 ms', 'p99 ms', 'longest ms'], rows));
  const longest = Math.max(...tookMs.flat());
  if (longest > MAX_MS) throw new Failure(`A token was accepted for ${digits(longest, 0)} ms after it was revoked.`);
});

/** How many ms from the answer of the revocation each process accepted the token. */
async function revokeOnce(gateways) {
  const jti = randomUUID();
  const authorization = gateways[0].tokenOf({ jti });
  for (const { url } of gateways) {
    const { status } = await fetch(url + ASKED, { headers: { authorization } });
    if (status !== 200) throw new Failure(`${ASKED} answered ${status} before the token was revoked.`);
  }
  const isOver = { at: Infinity };
  const watched = gateways.map(({ url }) => lastAccepted(url + ASKED, authorization, isOver));
  const answer = await fetch(`${gateways[0].url}/token-revocations`, {
    method: 'POST',
    headers: { authorization: gateways[0].authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ kind: 'TOKEN', value: jti }),
  });
  const revokedAt = performance.now();
  if (!answer.ok) throw new Failure(`The revocation answered ${answer.status}: ${await answer.text()}`);
  isOver.at = revokedAt + GIVE_UP_MS;
  return (await Promise.all(watched)).map(at => Math.max(0, at - revokedAt));
}

/** When the last request was sent that was accepted. */
async function lastAccepted(url, authorization, isOver) {
  let last = 0;
  while (performance.now() < isOver.at) {
    const sentAt = performance.now();
    const { status } = await fetch(url, { headers: { authorization } });
    if (status === 401) return last;
    if (status === 200) last = sentAt;
    await sleep(1);
  }
  throw new Failure('A token was accepted without end after it was revoked.');
}
