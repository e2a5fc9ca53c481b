// What it costs writers that others follow what happens: keyed writes while nobody does and webhooks are off, and while
// a request waits for every event, subscriptions are open and an endpoint gets events. One gateway after the other,
// round by round.
//   npm run followers -- [--rounds 5] [--seconds 5] [--accounts 400] [--subscriptions 100] [--watched 4]
// Subscriptions and the endpoint follow the accounts that `watched` says, so they hear that share of all writes.
import { Agent, createServer, request } from 'node:http';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { connectTo, importLedger } from './lib/data.mjs';
import { folderForThisRun } from './lib/folder.mjs';
import { readOptions } from './lib/options.mjs';
import { cpuSeconds } from './lib/processes.mjs';
import { openProduct } from './lib/product.mjs';
import { digits, table } from './lib/report.mjs';
import { run, stopChild } from './lib/run.mjs';
import { ADD_BENEFICIARY, BENEFICIARY, during } from './lib/writes.mjs';
import { accountId } from './make-ledger.mjs';

const WARM_SECONDS = 3;
const CHANGED = 'subscription ($a: ID!) { accountChanged(accountId: $a) { cursor node { type } } }';

/** A request that waits for every event, subscriptions, and an endpoint. */
class Followers {
  events = 0;
  items = 0;
  isOver = false;
  sockets = [];
  agent = new Agent({ keepAlive: true });

  static async open(gateway, receiver, { subscriptions, watched }) {
    const followers = new Followers();
    Object.assign(followers, { gateway, receiver });
    const accountIds = Array.from({ length: watched }, (_, n) => accountId(1 + n));
    const { endpointId } = await followers.ask('POST', '/webhook-endpoints', {
      url: receiver.url,
      accountIds,
      types: ['beneficiary.added'],
    });
    followers.endpointId = endpointId;
    for (let n = 0; n < subscriptions; n++) await followers.subscribe(accountIds[n % watched]);
    followers.reading = followers.read();
    return followers;
  }

  /** How much was heard since the last time. */
  count() {
    const heard = this.events + this.items + this.receiver.received;
    [this.events, this.items, this.receiver.received] = [0, 0, 0];
    return heard;
  }

  async read() {
    let path = '/events?after=latest&limit=100&wait=30';
    while (!this.isOver) {
      const { events, links } = await this.ask('GET', path).catch(() => ({ events: [], links: null }));
      this.events += events.length;
      path = links?.next.href ?? path;
    }
  }

  subscribe(account) {
    const { url, authorization } = this.gateway;
    return new Promise((done, fail) => {
      const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
      const send = message => socket.send(JSON.stringify(message));
      socket.on('open', () => send({ type: 'connection_init', payload: { authorization } }));
      socket.on('message', data => {
        const { type } = JSON.parse(data);
        if (type === 'connection_ack') {
          send({ id: '1', type: 'subscribe', payload: { query: CHANGED, variables: { a: account } } });
          done();
        } else if (type === 'next') this.items += 1;
      });
      socket.on('error', fail);
      this.sockets.push(socket);
    });
  }

  ask(method, path, body) {
    const { url, authorization } = this.gateway;
    return new Promise((done, fail) => {
      const headers = { authorization, 'content-type': 'application/json' };
      const sent = request(new URL(path, url), { method, agent: this.agent, headers }, answer => {
        let text = '';
        answer.on('data', chunk => (text += chunk));
        answer.on('end', () => (answer.statusCode < 300 ? done(JSON.parse(text)) : fail(new Error(text))));
      });
      sent.on('error', fail).end(body && JSON.stringify(body));
    });
  }

  async close() {
    await this.ask('DELETE', `/webhook-endpoints/${this.endpointId}`);
    this.isOver = true;
    for (const socket of this.sockets) socket.terminate();
    this.agent.destroy();
    await this.reading;
    await sleep(100);
  }
}

class Receiver {
  received = 0;

  static async start() {
    const receiver = new Receiver();
    receiver.server = createServer((incoming, response) => {
      receiver.received += 1;
      incoming.resume();
      response.writeHead(204).end();
    });
    await new Promise(done => receiver.server.listen(0, '127.0.0.1', done));
    receiver.url = `http://127.0.0.1:${receiver.server.address().port}/`;
    return receiver;
  }

  stop() {
    this.server.closeAllConnections();
    this.server.close();
  }
}

function report(rounds) {
  const middle = values => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
  const rows = ['alone', 'followed'].map(name => {
    const of = key => middle(rounds.map(round => round[name][key]));
    return [
      name,
      digits(of('rate'), 0),
      digits(of('cpu') * 1000, 3),
      digits(of('postgres') * 1000, 3),
      digits(of('heard') ?? 0, 2),
    ];
  });
  console.log(table(['writers', 'writes/s', 'CPU ms a write', 'of PostgreSQL', 'heard a write'], rows));
  const ratios = rounds.map(({ alone, followed }) => followed.rate / alone.rate);
  console.log(`\nfollowed / alone: ${digits(middle(ratios), 2)} (${ratios.map(ratio => digits(ratio, 2)).join(', ')})`);
}

await run(async () => {
  const options = readOptions({
    rounds: 5,
    seconds: 5,
    accounts: 400,
    subscriptions: 100,
    watched: 4,
    product: resolve(import.meta.dirname, '..'),
  });
  const folder = folderForThisRun();
  const product = await openProduct(options.product, folder);
  const sizes = { accounts: options.accounts, beneficiaries: 0, transactions: 1, largest: [1] };
  await importLedger(product, join(folder, 'files'), sizes);
  const db = await connectTo(product.databaseUrl);
  const receiver = await Receiver.start();
  const rounds = [];
  for (let round = 0; round < options.rounds; round++) {
    const alone = await measure('false', null);
    const followed = await measure('true', receiver);
    rounds.push({ alone, followed });
  }
  receiver.stop();
  report(rounds);

  async function measure(WEBHOOKS, to) {
    await db.query('DELETE FROM beneficiary');
    await db.query('VACUUM ANALYZE beneficiary');
    const settings = {
      WEBHOOKS,
      WEBHOOK_ALLOW_NETS: '127.0.0.0/8',
      WEBHOOK_ALLOW_LOOPBACK: 'true',
      NODE_ENV: 'development',
    };
    const gateway = await product.serve(folder, { settings });
    const followers = to && (await Followers.open(gateway, to, options));
    let turn = 0;
    const next = () => [ADD_BENEFICIARY, { a: accountId(1 + (turn++ % options.accounts)), i: BENEFICIARY }];
    await during(gateway, WARM_SECONDS, next);
    const before = cpuSeconds(product.postgresPid);
    followers?.count();
    const { writes, cpu, took } = await during(gateway, options.seconds, next);
    const postgres = cpuSeconds(product.postgresPid) - before;
    const heard = followers?.count();
    await followers?.close();
    await stopChild(gateway.child);
    return { rate: writes / took, cpu: cpu / writes, postgres: postgres / writes, heard: heard && heard / writes };
  }
});
