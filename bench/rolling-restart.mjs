// Restarts two gateways on one PostgreSQL, one after the other and again, behind a load balancer, while requests come.
// No request may fail. The balancer is a plain one: it takes turns, repeats nothing, asks /readyz now and then, and
// leaves out who is not ready or refuses.
//   npm run rolling-restart -- [--restarts 6] [--connections 50]
import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import { importLedger } from './lib/data.mjs';
import { folderForThisRun } from './lib/folder.mjs';
import { readOptions } from './lib/options.mjs';
import { openProduct } from './lib/product.mjs';
import { digits, table } from './lib/report.mjs';
import { Failure, atEnd, run, stopChild } from './lib/run.mjs';
import { accountId } from './make-ledger.mjs';

const LEDGER = { accounts: 200, transactions: 10_000, beneficiaries: 2, largest: [5000] };
const LOOK_EVERY_MS = 200;
const GRACE_MS = 2000;
const BETWEEN_MS = 2000;
const LONGEST_SECONDS = 600;

await run(async () => {
  const options = readOptions({ restarts: 6, connections: 50, product: resolve(import.meta.dirname, '..') });
  const folder = folderForThisRun();
  const product = await openProduct(options.product, folder, {
    SHUTDOWN_GRACE_MS: `${GRACE_MS}`,
    // What a busy machine makes of two gateways, their clients and a balancer on it is not measured here.
    OVERLOAD_MAX_DELAY_MS: '10000',
  });
  await importLedger(product, join(folder, 'files'), LEDGER);
  let serial = 0;
  const serve = () => product.serve(join(folder, `logs-${(serial += 1)}`));

  const backends = [await serve(), await serve()];
  const balancer = await startBalancer(backends);
  const load = sendLoad(balancer.url, backends[0].authorization, options.connections);
  const took = [];
  for (let n = 0; n < options.restarts; n++) {
    await sleep(BETWEEN_MS);
    const old = backends[n % 2];
    const started = performance.now();
    await stopChild(old.child);
    took.push(performance.now() - started);
    if (old.child.exitCode !== 0) throw new Failure(`A gateway ended with ${old.child.exitCode}.`);
    backends[n % 2] = await serve();
    // The next process is replaced only when the new one is ready.
    await until(() => balancer.isIn(backends[n % 2]));
  }
  await sleep(BETWEEN_MS);
  const answers = await load.stop();

  const rows = [...answers.statuses].map(([status, count]) => [`${status}`, `${count}`]);
  console.log(`${options.restarts} restarts, each in ${digits(Math.max(...took) / 1000, 1)} s at most\n`);
  console.log(table(['answers', 'count'], [...rows, ['failed', `${answers.failed}`]]));
  const wrong = answers.failed + rows.filter(([status]) => !status.startsWith('2')).length;
  if (wrong > 0) throw new Failure('\nRequests failed.');
  console.log('\nNo request failed.');
});

async function startBalancer(backends) {
  const agent = new Agent({ keepAlive: true });
  const ready = new Set();
  let looking = Promise.resolve();
  const look = async () => {
    const asked = [...backends];
    for (const backend of asked) {
      const answer = await fetch(new URL('/readyz', backend.url), { headers: { connection: 'close' } }).catch(
        () => null,
      );
      if (answer?.ok && backends.includes(backend)) ready.add(backend);
      else ready.delete(backend);
    }
    for (const backend of ready) if (!backends.includes(backend)) ready.delete(backend);
  };
  await look();
  const timer = setInterval(() => {
    looking = looking.then(look);
  }, LOOK_EVERY_MS);
  let turn = 0;
  const server = createServer((incoming, response) => {
    const all = [...ready];
    const backend = all[(turn += 1) % all.length];
    if (!backend) return response.writeHead(502).end();
    const { method, url, headers } = incoming;
    const { hostname, port } = new URL(backend.url);
    const outgoing = request({
      agent,
      hostname,
      port,
      method,
      path: url,
      headers: { ...headers, connection: 'keep-alive' },
    });
    outgoing.on('error', error => {
      if (error.code === 'ECONNREFUSED') ready.delete(backend);
      console.error(`a request failed: ${error.code}`);
      response.writeHead(502).end();
    });
    outgoing.on('response', answer => {
      const { connection: _ours, 'keep-alive': _theirs, ...kept } = answer.headers;
      response.writeHead(answer.statusCode, kept);
      answer.pipe(response);
    });
    incoming.pipe(outgoing);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(() => {
    clearInterval(timer);
    agent.destroy();
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${server.address().port}`, isIn: backend => ready.has(backend) };
}

function sendLoad(url, authorization, connections) {
  const statuses = new Map();
  const one = () => accountId(2 + Math.floor(Math.random() * (LEDGER.accounts - 1)));
  const query = 'query A($id: ID!) { account(accountId: $id) { availableBalance beneficiaries { totalCount } } }';
  const read = sent => ({
    ...sent,
    method: 'POST',
    path: '/graphql',
    headers: {
      authorization,
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      query,
      variables: { id: one() },
    }),
  });
  const list = sent => ({
    ...sent,
    method: 'GET',
    path: `/accounts/${one()}/transactions`,
    headers: { authorization },
    body: undefined,
  });
  const running = autocannon({
    url,
    connections,
    duration: LONGEST_SECONDS,
    timeout: 30,
    requests: [read, list].map(setupRequest => ({ setupRequest })),
  });
  running.on('response', (_client, status) => statuses.set(status, (statuses.get(status) ?? 0) + 1));
  return {
    async stop() {
      running.stop();
      const { errors, timeouts } = await running;
      return { statuses, failed: errors + timeouts };
    },
  };
}

async function until(holds) {
  while (!holds()) await sleep(50);
}
