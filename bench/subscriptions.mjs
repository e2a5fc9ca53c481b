// How late open subscriptions hear of postings, and what each of them holds in memory. Connections are cut on the way,
// and come back with their cursors: nothing may be missing or come twice. npm run subscriptions -- [--subscribers
// 10000] [--accounts 1000] [--rate 100] [--seconds 30] [--cuts 1000] [--transport multipart] --transport websocket
// opens one WebSocket for each subscriber; both opens half of each.
import { Agent, request } from 'node:http';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { importLedger } from './lib/data.mjs';
import { folderForThisRun } from './lib/folder.mjs';
import { readOptions } from './lib/options.mjs';
import { cpuSeconds, residentMiB } from './lib/processes.mjs';
import { openProduct } from './lib/product.mjs';
import { digits, table } from './lib/report.mjs';
import { Failure, run } from './lib/run.mjs';
import { accountId } from './make-ledger.mjs';

const QUERY = `subscription Posted($a: ID!, $after: String) {
  transactionPosted(accountId: $a, after: $after) { cursor transaction { transactionId amount description } }
}`;
const POST =
  'mutation ($a: ID!, $t: [TransactionInput!]!) { postAccountTransactions(accountId: $a, transactions: $t) { transactions { transactionId } } }';
const TRANSACTION = {
  amount: '12.50',
  debitCreditMemo: 'CREDIT',
  category: 'ACH',
  transactionType: 'DIRECTDEPOSIT',
  status: 'POSTED',
  description: 'Bench',
  transactionTimestamp: '2026-03-02T15:00:00.000Z',
  postedTimestamp: '2026-03-02T16:00:00.000Z',
};
/** Subscribers that connect at the same time. */
const CONNECTING = 50;
const RETRY_MS = 100;
const SETTLE_MS = 5000;
const ARRIVAL_MS = 60_000;
const MULTIPART = 'multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/json';

/** Subscribers that come back by themselves, and the postings that they must hear of. */
class Bench {
  posted = new Map();
  delaysMs = [];
  /** How long the postings took themselves. */
  postingsMs = [];
  cuts = 0;
  attempts = 0;
  /** How many subscriptions the gateway ended, by the code. */
  ends = new Map();
  subscribers = [];
  sent = 0;
  isOver = false;
  agent = new Agent({ keepAlive: true });

  constructor(gateway, options) {
    this.gateway = gateway;
    this.options = options;
  }

  async subscribeAll() {
    const { subscribers, accounts, transport } = this.options;
    for (let n = 0; n < subscribers; n++) {
      const Kind =
        transport === 'websocket' || (transport === 'both' && n % 2 === 1) ? SocketSubscriber : StreamSubscriber;
      this.subscribers.push(new Kind(this, accountId(1 + (n % accounts))));
    }
    const waiting = [...this.subscribers];
    const connect = async () => {
      while (waiting.length > 0) await waiting.pop().connect();
    };
    await Promise.all(Array.from({ length: CONNECTING }, connect));
    for (const of of this.posted.keys()) this.posted.set(of, []);
  }

  /** Posts at an even rate, to accounts at random, and cuts connections meanwhile. */
  async load() {
    const { rate, seconds, cuts } = this.options;
    const startedMs = performance.now();
    const posts = [];
    for (let n = 0; n < rate * seconds; n++) {
      const dueMs = startedMs + (n * 1000) / rate;
      await sleep(Math.max(0, dueMs - performance.now()));
      posts.push(this.post(1));
      while (this.cuts < (cuts * n) / (rate * seconds)) {
        this.cuts += 1;
        const known = this.subscribers.filter(({ cursor, isOpen }) => cursor !== null && isOpen);
        if (known.length > 0) known[Math.floor(Math.random() * known.length)].cut();
      }
    }
    await Promise.all(posts);
  }

  async post(count) {
    const account = accountId(1 + Math.floor(Math.random() * this.options.accounts));
    const t = Array.from({ length: count }, () => ({ ...TRANSACTION, transactionId: `${this.sent++}-${Date.now()}` }));
    let body = await this.ask({ query: POST, variables: { a: account, t } });
    // The machine may be busy with other things. What waits is late, and counts as late.
    while (body.errors?.[0].extensions.code === 'overloaded') {
      await sleep(RETRY_MS);
      body = await this.ask({ query: POST, variables: { a: account, t } });
    }
    if (body.errors) throw new Failure(`A posting was refused: ${JSON.stringify(body.errors)}`);
    if (!this.posted.has(account)) this.posted.set(account, []);
    this.posted.get(account).push(...t.map(({ transactionId }) => transactionId));
    this.postingsMs.push(...t.map(({ transactionId }) => Date.now() - Number(transactionId.split('-')[1])));
  }

  /** A connection that is kept open may end at the moment when it is used. The same posting again is no second one. */
  async ask(body) {
    for (;;) {
      try {
        return await this.askOnce(body);
      } catch {
        await sleep(RETRY_MS);
      }
    }
  }

  askOnce(body) {
    return new Promise((done, fail) => {
      const headers = { authorization: this.gateway.authorization, 'content-type': 'application/json' };
      const outgoing = request(
        `${this.gateway.url}/graphql`,
        { method: 'POST', agent: this.agent, headers },
        answer => {
          let text = '';
          answer.on('data', chunk => (text += chunk)).on('end', () => done(JSON.parse(text)));
        },
      );
      outgoing.on('error', fail).end(JSON.stringify(body));
    });
  }

  heard(transactionId) {
    this.delaysMs.push(Date.now() - Number(transactionId.split('-')[1]));
  }

  /** Waits until every subscriber has what was posted to its account, or time is up. */
  async arrived() {
    const giveUpAt = Date.now() + ARRIVAL_MS;
    const lacks = ({ account, ids }) => ids.length < (this.posted.get(account)?.length ?? 0);
    while (this.subscribers.some(lacks) && Date.now() < giveUpAt) await sleep(100);
    this.isOver = true;
  }

  faults() {
    let [missing, doubled] = [0, 0];
    for (const { account, ids } of this.subscribers) {
      const unique = new Set(ids);
      doubled += ids.length - unique.size;
      missing += (this.posted.get(account) ?? []).filter(id => !unique.has(id)).length;
    }
    return { missing, doubled };
  }
}

class Subscriber {
  ids = [];
  cursor = null;
  isOpen = false;

  constructor(bench, account) {
    this.bench = bench;
    this.account = account;
  }

  get operation() {
    return { query: QUERY, variables: { a: this.account, after: this.cursor } };
  }

  /** The gateway ended the subscription. Its connection closes, and then the subscriber comes back. */
  ended([{ extensions }]) {
    const { ends } = this.bench;
    ends.set(extensions.code, (ends.get(extensions.code) ?? 0) + 1);
  }

  /** Comes back after a pause, unless the run is over. */
  async again() {
    this.isOpen = false;
    this.bench.attempts += 1;
    await sleep(RETRY_MS * Math.random());
    if (!this.bench.isOver) await this.connect();
  }

  take({ data }) {
    const { cursor, transaction } = data.transactionPosted;
    this.cursor = cursor;
    this.ids.push(transaction.transactionId);
    this.bench.heard(transaction.transactionId);
  }
}

class StreamSubscriber extends Subscriber {
  connect() {
    const { url, authorization } = this.bench.gateway;
    const headers = { authorization, accept: MULTIPART, 'content-type': 'application/json' };
    return new Promise((done, fail) => {
      this.outgoing = request(`${url}/graphql`, { method: 'POST', agent: false, headers }, answer => {
        if ([408, 503].includes(answer.statusCode)) return done(this.again());
        if (answer.statusCode !== 200) return fail(new Failure(`A subscription got the status ${answer.statusCode}.`));
        let text = '';
        answer.on('data', chunk => {
          text += chunk;
          const parts = text.split('\r\n--graphql');
          text = parts.pop();
          for (const part of parts) {
            const json = part.slice(part.indexOf('\r\n\r\n') + 4);
            const { payload, errors } = json.startsWith('{"payload"') ? JSON.parse(json) : {};
            if (payload) this.take(payload);
            else if (errors) this.ended(errors);
          }
        });
        answer.on('error', () => undefined);
        answer.on('close', () => void this.again());
        this.isOpen = true;
        done();
      });
      this.outgoing.on('error', () => this.isOpen || done(this.again()));
      this.outgoing.end(JSON.stringify(this.operation));
    });
  }

  cut() {
    this.isOpen = false;
    this.outgoing.destroy();
  }
}

class SocketSubscriber extends Subscriber {
  connect() {
    const { url, authorization } = this.bench.gateway;
    return new Promise(done => {
      this.socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
        perMessageDeflate: false,
      });
      const send = message => this.socket.send(JSON.stringify(message));
      this.socket.on('open', () => send({ type: 'connection_init', payload: { authorization } }));
      this.socket.on('message', data => {
        const { type, payload } = JSON.parse(data);
        if (type === 'connection_ack') {
          send({ id: '1', type: 'subscribe', payload: this.operation });
          this.isOpen = true;
          done();
        } else if (type === 'next') this.take(payload);
        else if (type === 'error') this.ended(payload);
      });
      this.socket.on('error', () => undefined);
      this.socket.on('close', () => done(this.again()));
    });
  }

  cut() {
    this.isOpen = false;
    this.socket.terminate();
  }
}

function report({ subscribers, seconds, rate, accounts, transport }, bench, { idleMiB, openMiB, loadedMiB, cpu }) {
  const quantiles = delaysMs => {
    const sorted = delaysMs.toSorted((a, b) => a - b);
    return [0.5, 0.95, 0.99, 1].map(share => sorted[Math.ceil(sorted.length * share) - 1]).join(', ');
  };
  const { missing, doubled } = bench.faults();
  const rows = [
    ['subscribers, accounts, transport', `${subscribers}, ${accounts}, ${transport}`],
    ['postings a second, for seconds', `${rate}, ${seconds}`],
    ['items that were heard', String(bench.delaysMs.length)],
    ['posting, until its answer: p50, p95, p99, longest (ms)', quantiles(bench.postingsMs)],
    ['from before the posting until it is heard: the same', quantiles(bench.delaysMs)],
    [
      'memory of the gateway: idle, open, after the load (MiB)',
      [idleMiB, openMiB, loadedMiB].map(of => digits(of, 0)).join(', '),
    ],
    ['memory a subscriber (KiB)', digits(((openMiB - idleMiB) * 1024) / subscribers, 1)],
    ['processors used by the gateway under load', digits(cpu / seconds, 2)],
    ['connections that were cut, and attempts to come back', `${bench.cuts}, ${bench.attempts}`],
    ['subscriptions that the gateway ended', [...bench.ends].join(' ') || 'none'],
    ['items missing, items doubled', `${missing}, ${doubled}`],
  ];
  console.log(table(['', ''], rows));
  if (missing + doubled > 0) throw new Failure('Items are missing or doubled.');
}

await run(async () => {
  const options = readOptions({
    subscribers: 1e4,
    accounts: 1e3,
    rate: 100,
    seconds: 30,
    cuts: 1e3,
    transport: 'multipart',
    product: resolve(import.meta.dirname, '..'),
  });
  const folder = folderForThisRun();
  const product = await openProduct(options.product, folder);
  const sizes = { accounts: options.accounts, beneficiaries: 0, transactions: 1, largest: [1] };
  await importLedger(product, join(folder, 'files'), sizes);
  const settings = {
    SUBSCRIPTIONS_MAX: String(2 * options.subscribers),
    SUBSCRIPTIONS_MAX_PER_CLIENT: String(2 * options.subscribers),
  };
  const gateway = await product.serve(folder, { settings });
  const bench = new Bench(gateway, options);
  await bench.post(1);
  await sleep(SETTLE_MS);
  const idleMiB = residentMiB(gateway.pid);
  await bench.subscribeAll();
  await sleep(SETTLE_MS);
  const openMiB = residentMiB(gateway.pid);
  const cpuBefore = cpuSeconds(gateway.pid);
  await bench.load();
  const cpu = cpuSeconds(gateway.pid) - cpuBefore;
  await bench.arrived();
  report(options, bench, { idleMiB, openMiB, loadedMiB: residentMiB(gateway.pid), cpu });
});
