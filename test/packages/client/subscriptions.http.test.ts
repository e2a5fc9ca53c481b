import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AccountChanged, TransactionPosted } from '../../../packages/client/src/generated/documents.js';
import { AccountNotFound, Tillgate } from '../../../packages/client/src/index.js';
import { Relay } from '../../deploy/relay.js';
import { subscriptions } from '../../platform/graphql/subscriptions/listening.js';
import { startTestGateway, type TestGateway } from '../../support/gateway.js';
import { until } from '../../support/until.js';
import { postSome } from '../../transaction/support/ledger.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

test('a subscription that loses its connection misses nothing and repeats nothing', async () => {
  const given = await gateway.given.account();
  const relay = await Relay.start(gateway.url);
  const tillgate = new Tillgate({ url: `http://127.0.0.1:${relay.port}`, token: given.caller });
  const seen: string[] = [];
  const reading = (async () => {
    for await (const { transactionPosted } of tillgate.subscribe(TransactionPosted, { accountId: given.account })) {
      seen.push(transactionPosted?.transaction.transactionId ?? '');
      if (seen.length === 6) return;
    }
  })();
  await subscriptions(gateway, 1);
  // It has had no item yet.
  relay.answers = 'lose';
  const posted = await postSome(gateway, given, 2);
  await subscriptions(gateway, 0);
  relay.answers = 'pass';
  await until(() => seen.length === 2);
  relay.answers = 'lose';
  posted.push(...(await postSome(gateway, given, 2)));
  await subscriptions(gateway, 0);
  relay.answers = 'pass';
  await subscriptions(gateway, 1);
  posted.push(...(await postSome(gateway, given, 2)));
  await reading;
  await subscriptions(gateway, 0);
  await relay.stop();
  expect(seen).toEqual(posted);
});

test('a subscription goes on with a new token where its own has expired, and begins after a cursor', async () => {
  const given = await gateway.given.account();
  const short = await gateway.caller({ program: given.program, ttlSeconds: 2 });
  const tokens = [short];
  const tillgate = new Tillgate({ url: gateway.url, token: () => tokens.pop() ?? given.caller });
  const cursors: string[] = [];
  const seen: string[] = [];
  const reading = (async () => {
    for await (const { transactionPosted } of tillgate.subscribe(TransactionPosted, { accountId: given.account })) {
      cursors.push(transactionPosted?.cursor ?? '');
      seen.push(transactionPosted?.transaction.transactionId ?? '');
      if (seen.length === 2) return;
    }
  })();
  await subscriptions(gateway, 1);
  const posted = await postSome(gateway, given, 1);
  await until(() => seen.length === 1);
  await subscriptions(gateway, 0);
  await subscriptions(gateway, 1);
  posted.push(...(await postSome(gateway, given, 1)));
  await reading;
  expect(seen).toEqual(posted);
  for await (const { transactionPosted } of tillgate.subscribe(
    TransactionPosted,
    { accountId: given.account },
    { after: cursors[0] ?? '' },
  )) {
    expect(transactionPosted?.transaction.transactionId).toBe(posted[1]);
    break;
  }
});

test('a subscription that cannot go on throws why, and ends when its reader aborts', async () => {
  const given = await gateway.given.account();
  const tillgate = new Tillgate({ url: gateway.url, token: given.caller });
  await expect(tillgate.subscribe(AccountChanged, { accountId: 'no-such-account' }).next()).rejects.toThrow(
    AccountNotFound,
  );
  const stop = new AbortController();
  const next = tillgate.subscribe(AccountChanged, { accountId: given.account }, { signal: stop.signal }).next();
  next.catch(() => undefined);
  await subscriptions(gateway, 1);
  stop.abort(new Error('The page was left.'));
  await expect(next).rejects.toThrow('The page was left.');
  await subscriptions(gateway, 0);
});

test('a subscription that could not resume is refused before it begins', async () => {
  const { account, caller } = await gateway.given.account();
  const tillgate = new Tillgate({ url: gateway.url, token: caller });
  const document = `subscription ($account: ID!) { transactionPosted(accountId: $account) { cursor } }`;
  await expect(tillgate.subscribe(document, { account }).next()).rejects.toThrow('select `cursor`');
});
