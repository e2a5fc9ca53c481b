// Kills processes of a gateway of several (WORKERS) under load, and tells what its clients see of it. Each write is
// sent again with its key until it is answered: none may be lost, and none done twice.
//   npm run lost-worker -- [--workers 2] [--kills 10] [--connections 32]
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectTo, importLedger } from './lib/data.mjs';
import { folderForThisRun } from './lib/folder.mjs';
import { readOptions } from './lib/options.mjs';
import { processesOf } from './lib/processes.mjs';
import { openProduct } from './lib/product.mjs';
import { digits, median, table, whole } from './lib/report.mjs';
import { Failure, run } from './lib/run.mjs';
import { posting } from './lib/writes.mjs';
import { accountId } from './make-ledger.mjs';

const LEDGER = { accounts: 200, transactions: 10_000, beneficiaries: 2, largest: [5000] };
/** A process that ends sooner than 10 s after its start is replaced after a pause. This is about those that served. */
const BETWEEN_MS = 12_000;
const REPLACED_WITHIN_MS = 60_000;
const REQUEST_MS = 30_000;
const AGAIN_MS = 100;
const MOST_TRIES = 300;

/** Clients with one request at a time each, over connections that stay open. Half of them read. */
class Load {
  answered = 0;
  failed = [];
  /** The ids of transactions whose posting was answered. */
  written = [];
  #going = true;

  constructor(gateway, connections) {
    this.gateway = gateway;
    this.agent = new Agent({ keepAlive: true, maxSockets: connections });
    this.clients = Array.from({ length: connections }, (_, n) => (n % 2 === 0 ? this.#read() : this.#write()));
  }

  async stop() {
    this.#going = false;
    await Promise.all(this.clients);
    this.agent.destroy();
  }

  async #read() {
    const query = 'query A($id: ID!) { account(accountId: $id) { availableBalance beneficiaries { totalCount } } }';
    while (this.#going) await this.#once({ query, variables: { id: anyAccount() } }, randomUUID());
  }

  async #write() {
    while (this.#going) {
      const [query, variables] = posting(anyAccount());
      const key = randomUUID();
      for (let tries = 1; !(await this.#once({ query, variables }, key)); tries++) {
        if (tries === MOST_TRIES) throw new Failure(`A write was not answered: ${this.failed.at(-1).why}`);
        await sleep(AGAIN_MS);
      }
      this.written.push(variables.t[0].transactionId);
    }
  }

  /** Whether it was answered with a result. */
  async #once(body, key) {
    const why = await this.#send(JSON.stringify(body), key);
    if (why === null) this.answered += 1;
    else this.failed.push({ atMs: performance.now(), why });
    return why === null;
  }

  #send(text, key) {
    const { url, authorization } = this.gateway;
    const headers = { authorization, 'content-type': 'application/json', 'x-idempotency-key': key };
    return new Promise(done => {
      const sent = request(new URL('/graphql', url), {
        method: 'POST',
        agent: this.agent,
        headers,
        timeout: REQUEST_MS,
      });
      sent.on('timeout', () => sent.destroy(new Error('timeout')));
      sent.on('error', ({ code, message }) => done(code ?? message));
      sent.on('response', response => {
        let received = '';
        response.on('data', chunk => (received += chunk));
        response.on('error', ({ code }) => done(code));
        response.on('end', () => {
          const { errors } = JSON.parse(received);
          done(errors ? errors[0].extensions.code : null);
        });
      });
      sent.end(text);
    });
  }
}

function anyAccount() {
  return accountId(2 + Math.floor(Math.random() * (LEDGER.accounts - 1)));
}

async function refuseWrong(db, written) {
  const { rows } = await db.query(
    `SELECT (SELECT count(*)::int FROM transaction) AS total, (SELECT count(DISTINCT transaction_id)::int FROM transaction WHERE transaction_id = ANY ($1)) AS found`,
    [written],
  );
  const [{ total, found }] = rows;
  if (found < written.length) throw new Failure(`${written.length - found} writes were lost.`);
  const further = total - LEDGER.transactions - written.length;
  if (further !== 0) throw new Failure(`${further} writes were done twice, or by nobody.`);
}

await run(async () => {
  const {
    workers,
    kills,
    connections,
    product: root,
  } = readOptions({
    workers: 2,
    kills: 10,
    connections: 32,
    product: resolve(import.meta.dirname, '..'),
  });
  const folder = folderForThisRun();
  const product = await openProduct(root, folder, {
    WORKERS: `${workers}`,
    // What a busy machine makes of a gateway, its clients and PostgreSQL on it is not measured here.
    OVERLOAD_MAX_DELAY_MS: '10000',
  });
  const db = await connectTo(product.databaseUrl);
  await importLedger(product, join(folder, 'files'), LEDGER);
  const gateway = await product.serve(join(folder, 'logs'));
  const inOrder = [];
  /** The oldest first: it has connections, and a new one gets those alone that clients open anew. */
  const processes = () => {
    const all = processesOf(gateway.pid).filter(pid => pid !== gateway.pid);
    inOrder.push(...all.filter(pid => !inOrder.includes(pid)));
    return inOrder.filter(pid => all.includes(pid));
  };

  const load = new Load(gateway, connections);
  const seen = [];
  for (let n = 0; n < kills; n++) {
    await sleep(BETWEEN_MS);
    const [killed] = processes();
    const [others, killedMs] = [processes().length, performance.now()];
    process.kill(killed, 'SIGKILL');
    while (processes().includes(killed) || processes().length < others) {
      if (performance.now() - killedMs > REPLACED_WITHIN_MS) throw new Failure('A process was not replaced.');
      await sleep(10);
    }
    seen.push({ killedMs, startedMs: performance.now() - killedMs });
  }
  await sleep(BETWEEN_MS);
  await load.stop();

  const rows = seen.map(({ killedMs, startedMs }, n) => {
    const until = seen[n + 1]?.killedMs ?? Infinity;
    const failed = load.failed.filter(({ atMs }) => atMs >= killedMs && atMs < until);
    const lastMs = failed.length > 0 ? failed.at(-1).atMs - killedMs : 0;
    return { failed: failed.length, lastMs, startedMs };
  });
  const cells = Object.entries({
    failed: 'failed requests',
    lastMs: 'ms to the last of them',
    startedMs: 'ms to the next process',
  });
  const spread = name => [median, all => Math.max(...all)].map(of => whole(of(rows.map(row => row[name]))));
  console.log(
    table(
      [`${kills} kills of one of ${workers} processes`, 'median', 'most'],
      cells.map(([name, text]) => [text, ...spread(name)]),
    ),
  );
  const { answered, failed, written } = load;
  console.log(
    `\n${answered} answers, ${failed.length} failed (${digits((failed.length / answered) * 100, 3)} %): ${[...new Set(failed.map(({ why }) => why))].join(', ')}.`,
  );
  await refuseWrong(db, written);
  console.log(`${written.length} writes were answered; each is there once, and nothing else.`);
  const most = Math.max(...rows.map(row => row.failed));
  if (most > connections) {
    throw new Failure(`A kill failed ${most} requests, and there are ${connections} connections.`);
  }
});
