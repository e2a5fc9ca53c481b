import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { keyed, startGatewayInside, unique, type GatewayInThisProcess } from '../support/gateway-inside.js';
import { leastBeneficiary } from '../support/given.js';
import { pdfOf } from '../support/statement.js';
import { describeUnless, unlessInstalled } from '../support/unless.js';
import { until } from '../support/until.js';
import {
  POSTED,
  Stream,
  listen,
  socketClient,
  subscriptions,
  transactionIds,
} from '../platform/graphql/subscriptions/listening.js';
import { postSome } from '../transaction/support/ledger.js';
import { Proxy, programOf, type ProxyName } from './proxy.js';
import { Relay } from './relay.js';
import { CLIENT_ADDRESS, ProxyClient, json } from './through.js';

const NAMES: readonly ProxyName[] = ['nginx', 'haproxy'];
const ADD_STATEMENT =
  'mutation Add($account: ID!, $input: StatementInput!) { addStatement(input: { accountId: $account, statement: $input }) { statement { sizeBytes downloadPath } } }';

let gateway: GatewayInThisProcess;
beforeAll(async () => {
  gateway = await startGatewayInside({ trustedProxies: ['127.0.0.1'] });
});
afterAll(() => gateway.stop());

interface Site {
  readonly relays: readonly [Relay, Relay];
  readonly proxy: Proxy;
}

/** A proxy with two ways to the gateway, which it takes for two processes. */
async function openSite(name: ProxyName, silenceSeconds?: number): Promise<Site> {
  const relays = [await Relay.start(gateway.url), await Relay.start(gateway.url)] as const;
  const upstreams = [relays[0].port, relays[1].port] as const;
  return { relays, proxy: await Proxy.start(name, { upstreams, ...(silenceSeconds && { silenceSeconds }) }) };
}

async function closeSite({ relays, proxy }: Site): Promise<void> {
  await proxy.stop();
  for (const relay of relays) await relay.stop();
}

describe.each(NAMES)('behind %s, configured as docs/install.md shows', name => {
  describeUnless(unlessInstalled(name, programOf(name)), 'as it is', () => {
    let site: Site;
    beforeAll(async () => {
      site = await openSite(name);
    });
    afterAll(() => closeSite(site));

    /** An account, and its caller's way through the proxy. */
    async function caller(open = site) {
      const given = await gateway.given.account();
      return {
        ...given,
        list: `/accounts/${given.account}/beneficiaries`,
        client: new ProxyClient(open.proxy.port, given.caller),
      };
    }

    test('GraphQL and REST answer, over HTTP/1.1 and HTTP/2', async () => {
      const { account, list, client } = await caller();
      const { status, headers } = await client.ask({ path: list });
      expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
      const query = 'query A($id: ID!) { account(accountId: $id) { accountId } }';
      expect(json(await client.graphql(query, { id: account }))).toEqual({ data: { account: { accountId: account } } });
      expect(await client.http2(list)).toBe(200);
      client.close();
    });

    test('a write that is sent again with its key is done once', async () => {
      const { list, client } = await caller();
      const write = { method: 'POST', path: list, body: leastBeneficiary(), headers: keyed(unique('key')) };
      const [first, again] = [await client.ask(write), await client.ask(write)];
      expect([first.status, again.status, again.headers['idempotent-replayed']]).toEqual([201, 201, 'true']);
      expect(json(again)).toEqual(json(first));
      expect(json(await client.ask({ path: list }))).toMatchObject({ page: { totalElements: 1 } });
      client.close();
    });

    test('the largest statement comes and goes whole, and nothing of it is left in files of the proxy', async () => {
      const { account, client } = await caller();
      await site.proxy.denyTemporaryFiles();
      const document = pdfOf('Ten MiB', 10 * 1024 * 1024);
      const input = { statementDate: '2026-01-31', document: document.toString('base64') };
      const added = json(await client.graphql(ADD_STATEMENT, { account, input }));
      expect(added).toMatchObject({ data: { addStatement: { statement: { sizeBytes: document.length } } } });
      const { addStatement } = added['data'] as { addStatement: { statement: { downloadPath: string } } };
      const { downloadPath } = addStatement.statement;
      expect((await client.ask({ path: downloadPath })).bytes.equals(document)).toBe(true);
      expect(site.proxy.files()).toEqual([]);
      client.close();
    });

    test('what is too large gets the answer of the gateway, which says what is wrong', async () => {
      const { list, client } = await caller();
      const body = { name: { first: 'x'.repeat(1024 * 1024) } };
      const large = await client.ask({ method: 'POST', path: list, body });
      expect([large.status, json(large)['code']]).toEqual([413, 'too_large']);
      const long = await client.ask({ path: `${list}?x=${'x'.repeat(8192)}` });
      expect([long.status, json(long)['code']]).toEqual([414, 'uri_too_long']);
      client.close();
    });

    test('the gateway sees the address of the client whatever the client says, and its request id', async () => {
      const { list, client } = await caller();
      const id = unique('proxied');
      const headers = { 'x-forwarded-for': '203.0.113.9', 'x-request-id': id, traceparent: 'of-a-stranger' };
      expect((await client.ask({ path: list, headers })).headers['x-request-id']).toBe(id);
      await until(async () => (await gateway.logged()).some(line => line.includes(id)));
      expect(gateway.log.find(line => line.includes(id))).toContain(`"clientAddress":"${CLIENT_ADDRESS}"`);
      expect((await client.ask({ path: list })).headers['x-request-id']).toMatch(/^[0-9a-f-]{32,36}$/);
      client.close();
    });

    test('what happens comes as it happens: to requests that wait, and to subscriptions over HTTP and a WebSocket', async () => {
      const given = await gateway.given.account();
      const proxied = { url: `https://127.0.0.1:${site.proxy.port}` };
      const subscription = { query: POSTED, variables: { account: given.account } };
      const stream = await Stream.open(proxied, given.caller, subscription);
      const sockets = socketClient(proxied, given.caller);
      const socket = listen(sockets, subscription);
      await subscriptions(gateway, 2);
      const client = new ProxyClient(site.proxy.port, given.caller);
      const latest = json(await client.ask({ path: '/events?after=latest' })) as { links: { next: { href: string } } };
      const waiting = client.ask({ path: `${latest.links.next.href}&wait=30` });
      const { feed } = gateway.gateway.container.feed;
      await until(() => feed.followers > 2);
      const posted = await postSome(gateway, given, 1);
      expect(json(await waiting)).toMatchObject({ events: [{ type: 'transaction.posted' }] });
      await until(() => stream.results.length > 0 && socket.results.length > 0);
      expect([transactionIds(stream), transactionIds(socket)]).toEqual([posted, posted]);
      stream.close();
      await sockets.dispose();
      // HAProxy notices that a client has left when something is sent to it.
      await until(async () => {
        await postSome(gateway, given, 1);
        return gateway.gateway.subscriptions.open() === 0;
      });
      client.close();
    });

    test('the metrics are not shown', async () => {
      const { client } = await caller();
      expect((await client.ask({ path: '/metrics' })).status).toBe(404);
      client.close();
    });

    test('requests one after the other share connections to the gateway', async () => {
      const { list, client } = await caller();
      const connections = () => site.relays[0].connections + site.relays[1].connections;
      const before = connections();
      for (let n = 0; n < 50; n++) expect((await client.ask({ path: list })).status).toBe(200);
      // HAProxy asks each of the two for its health every second, over connections of their own.
      expect(connections() - before).toBeLessThan(25);
      client.close();
    });
  });

  describeUnless(unlessInstalled(name, programOf(name)), 'when something fails', () => {
    const opened: Site[] = [];
    afterEach(async () => {
      for (const site of opened.splice(0)) await closeSite(site);
    });
    async function open(silenceSeconds?: number): Promise<Site> {
      const site = await openSite(name, silenceSeconds);
      opened.push(site);
      return site;
    }

    test('a write whose answer was lost is not sent again by the proxy, and may be by its client', async () => {
      const site = await open();
      const given = await gateway.given.account();
      const write = { method: 'POST', path: `/accounts/${given.account}/beneficiaries`, body: leastBeneficiary() };
      const keyedWrite = { ...write, headers: keyed(unique('key')) };
      for (const one of [write, keyedWrite]) {
        // Over a connection that it has answered on before, HAProxy would end the connection instead.
        const client = new ProxyClient(site.proxy.port, given.caller);
        // Health checks are lost as well, but HAProxy waits for the second one that fails.
        for (const relay of site.relays) relay.answers = 'lose';
        const lost = await client.ask(one);
        for (const relay of site.relays) relay.answers = 'pass';
        expect([[502, 503].includes(lost.status), lost.headers['retry-after']]).toEqual([true, '1']);
        expect(json(lost)).toMatchObject({ code: 'unavailable', status: lost.status });
        await until(async () => (await client.ask({ path: '/livez' })).status === 200);
        client.close();
      }
      const client = new ProxyClient(site.proxy.port, given.caller);
      const again = await client.ask(keyedWrite);
      expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, 'true']);
      const { body } = await gateway.as(given.caller).rest.get(write.path);
      expect(body.page.totalElements).toBe(2);
      client.close();
    });

    test('a read whose answer was lost is asked of the other gateway', async () => {
      const site = await open();
      const { account, caller } = await gateway.given.account();
      const client = new ProxyClient(site.proxy.port, caller);
      site.relays[0].answers = 'lose';
      for (let n = 0; n < 10; n++) {
        expect((await client.ask({ path: `/accounts/${account}/beneficiaries` })).status).toBe(200);
      }
      client.close();
    });

    test('while no gateway can be reached, clients are told so at once', async () => {
      const site = await open();
      for (const relay of site.relays) await relay.stop();
      const client = new ProxyClient(site.proxy.port, await gateway.caller());
      const answer = await client.ask({ method: 'POST', path: '/graphql', body: { query: '{ __typename }' } });
      expect([answer.status, answer.headers['content-type'], answer.headers['retry-after']]).toEqual([
        503,
        'application/problem+json',
        '1',
      ]);
      expect(json(answer)).toMatchObject({ code: 'unavailable', status: 503 });
      client.close();
    });

    test('a gateway that does not answer in time costs its requests, and no others', async () => {
      const site = await open(1);
      for (const relay of site.relays) relay.answers = 'hold';
      const client = new ProxyClient(site.proxy.port, await gateway.caller());
      const answer = await client.ask({ method: 'POST', path: '/graphql', body: { query: '{ __typename }' } });
      expect([503, 504]).toContain(answer.status);
      expect(json(answer)).toMatchObject({ code: 'unavailable', status: answer.status });
      for (const relay of site.relays) relay.answers = 'pass';
      await until(async () => (await client.ask({ path: '/livez' })).status === 200);
      client.close();
    });
  });
});
