import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Scope } from '../../src/shared/caller.js';
import { keyed, startTestGateway, type TestGateway } from '../support/gateway.js';

const SET = `mutation ($account: ID!, $nickname: String!) {
  setNickname(input: { accountId: $account, nickname: $nickname }) {
    nickname { accountId nickname } account { nickname } replayed }
}`;
const READ = 'query ($account: ID!) { account(accountId: $account) { nickname } }';
const WRITER: readonly Scope[] = ['accounts.read', 'nicknames:write'];

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({}, undefined, 'test/examples/nicknames');
});
afterAll(() => gateway.stop());

/** An account of its own, and those who may read it and give it a nickname. */
async function given(scopes = WRITER) {
  const { account, program } = await gateway.given.account();
  const client = gateway.as(await gateway.caller({ program, scopes }));
  const nickname = async () => (await client.graphql(READ, { account })).data.account.nickname;
  return { account, program, client, nickname, path: `/accounts/${account}/nickname` };
}

test('a record of a noun that comes from a package is written and read alike over GraphQL and REST', async () => {
  const { account, client, nickname, path } = await given();
  expect(await nickname()).toBeNull();
  const { data } = await client.graphql(SET, { account, nickname: 'Holidays' });
  expect(data.setNickname).toEqual({
    nickname: { accountId: account, nickname: 'Holidays' },
    account: { nickname: 'Holidays' },
    replayed: false,
  });
  expect(await nickname()).toBe('Holidays');
  const { status, body } = await client.rest.post(path, { nickname: 'Boat' });
  expect([status, body]).toEqual([200, { accountId: account, nickname: 'Boat' }]);
  expect(await nickname()).toBe('Boat');
  const { body: refused } = await client.rest.post(path, { nickname: '' });
  expect(refused.errors).toMatchObject([{ pointer: '/nickname' }]);
});

test('its scope decides over both ways in, and a token without it is refused', async () => {
  const { account, client, path } = await given(['accounts.read', 'nicknames:read']);
  const { errors } = await client.graphql(SET, { account, nickname: 'Boat' });
  expect(errors?.[0]?.extensions?.code).toBe('INSUFFICIENT_SCOPE');
  const { status, body } = await client.rest.post(path, { nickname: 'Boat' });
  expect([status, body.code]).toEqual([403, 'insufficient_scope']);
  expect((await client.rest.get('/viewer')).body.scopes).toEqual(['accounts.read']);
  const { body: metadata } = await client.rest.get('/.well-known/oauth-protected-resource');
  expect(metadata.scopes_supported).toContain('nicknames:write');
});

test('its command runs once under a key, is sealed on disk, and is an event of the feed without the nickname', async () => {
  const { account, program, client, path } = await given();
  const first = await client.rest.post(path, { nickname: 'Aunt Mabel' }, keyed(account));
  const again = await client.rest.post(path, { nickname: 'Aunt Mabel' }, keyed(account));
  expect(again.body).toEqual(first.body);
  expect(again.headers['idempotent-replayed']).toBe('true');
  await gateway.feedReady();
  const operator = gateway.as(await gateway.caller({ program }));
  const { body } = await operator.rest.get(`/events?types=account.nicknamed&limit=100`);
  const ofAccount = body.events.filter(({ data }: { data: { accountId: string } }) => data.accountId === account);
  expect(ofAccount).toHaveLength(1);
  expect(JSON.stringify(ofAccount)).not.toContain('Mabel');
  const { rows } = await gateway.sql.query('SELECT sealed FROM account_nickname WHERE account_id = $1', [account]);
  expect(rows).toHaveLength(1);
  expect(rows[0].sealed.toString('latin1')).not.toContain('Mabel');
});

test('its table is made by its own migration, and its routes, events and schema are described with those of the bank', async () => {
  const { rows } = await gateway.sql.query(`SELECT name FROM schema_migration WHERE name LIKE 'nicknames/%'`);
  expect(rows).toEqual([{ name: 'nicknames/1-table' }]);
  const { client } = await given();
  const { body: openApi } = await client.rest.get('/openapi.json');
  expect(openApi.paths['/accounts/{accountId}/nickname'].post['x-required-scope']).toBe('nicknames:write');
  const { body: events } = await client.rest.get('/events.schema.json');
  expect(events.$defs['account.nicknamed']).toBeDefined();
});
