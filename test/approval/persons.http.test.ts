import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readConfig } from '../../src/app/config.js';
import { AUDIENCE, ISSUER, Issuer } from '../platform/auth/issuer.js';
import { keyed, startTestGateway, unique, type TestGateway } from '../support/gateway.js';
import { givenTwo, holders } from './waiting.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const URL = 'https://hooks.bank.example/deep/path?token=s3cr3t';
const CREATE = `mutation ($url: String!) { createWebhookEndpoint(input: { endpoint: { url: $url } }) { endpoint { endpointId } } }`;
const READ = `query ($id: ID!) { approval(approvalId: $id) { status facts changes { field before after } } }`;

test('the approver reads what changes, before and after, with the whole URL, and nobody else does', async () => {
  const { program, account, asker, approver, stranger, owners } = await givenTwo(gateway);
  const { body } = await asker.rest.post(`/accounts/${account}/owners/add`, holders(stranger), keyed(unique('key')));
  const [before] = owners;
  const changes = [{ field: 'owners', before, after: `${before}, ${stranger}` }];
  expect(body.changes).toEqual([]);
  expect((await approver.graphql(READ, { id: body.approvalId })).data.approval.changes).toEqual(changes);
  expect((await approver.rest.get(`/approvals/${body.approvalId}`)).body.changes).toEqual(changes);
  const { errors } = await asker.graphql(CREATE, { url: URL }, { headers: keyed(unique('key')) });
  const id = errors?.[0]?.extensions['approvalId'] as string;
  const url = { field: 'url', before: null, after: URL };
  expect((await approver.graphql(READ, { id })).data.approval.changes).toContainEqual(url);
  expect((await approver.rest.get('/approvals')).body.approvals[0].changes).toContainEqual({ ...url, before: '' });
  const reader = gateway.as(await gateway.caller({ program, scopes: 'operations.read' }));
  const read = await reader.graphql(READ, { id });
  expect([read.data.approval.changes, read.errors?.[0]?.extensions.code]).toEqual([null, 'INSUFFICIENT_SCOPE']);
  const shown = (await reader.rest.get(`/approvals/${id}`)).body;
  expect(shown.changes).toEqual([]);
  expect(JSON.stringify(shown)).not.toContain('s3cr3t');
  await approver.rest.post(`/approvals/${id}/approve`);
  expect((await approver.rest.get(`/approvals/${id}`)).body.changes).toEqual([]);
});

describe('where a claim tells persons', () => {
  let issuer: Issuer;
  let persons: TestGateway;
  beforeAll(async () => {
    issuer = await Issuer.start();
    const { auth } = readConfig({
      AUTH_ISSUER: ISSUER,
      AUTH_AUDIENCE: AUDIENCE,
      AUTH_JWKS_URL: issuer.jwksUrl,
      AUTH_PERSON_CLAIM: 'oid',
    });
    persons = await startTestGateway({ auth });
  });
  afterAll(async () => {
    await persons.stop();
    await issuer.goDown();
  });

  /** Who has these claims, in the program of an account whose owners wait. */
  async function given() {
    const { program, account } = await persons.given.account();
    await persons.given.programRecord(program, { approvals: { agentProposals: true, changingOwners: true } });
    const { customer } = await persons.given.customer({ program });
    const as = async (sub: string, oid?: string, client = 'web', act?: unknown) =>
      persons.as(
        await issuer.sign({
          program,
          sub,
          client_id: client,
          customer_id: undefined,
          oid,
          act,
          scope: 'owners.write operations',
        }),
      );
    const ask = async (by: Awaited<ReturnType<typeof as>>) => {
      const headers = { ...keyed(unique('key')), 'agent-reason': 'Asked by the branch.' };
      const added = await by.rest.post(`/accounts/${account}/owners/add`, holders(customer), headers);
      return `/approvals/${added.body.approvalId}/approve`;
    };
    return { program, as, ask };
  }

  test('one person with two subjects does not approve a request of their own', async () => {
    const { as, ask } = await given();
    const path = await ask(await as('pairwise-1', 'person-1'));
    const denied = await (await as('pairwise-2', 'person-1', 'console')).rest.post(path);
    expect([denied.status, denied.body.code]).toEqual([403, 'own_approval']);
    const same = await (await as('pairwise-1', 'person-2')).rest.post(path);
    expect(same.body.code).toBe('own_approval');
    expect((await (await as('pairwise-3', 'person-2')).rest.post(path)).body.status).toBe('APPROVED');
  });

  test('whose token has no person asks, and does not approve', async () => {
    const { as, ask } = await given();
    const path = await ask(await as('backend'));
    const denied = await (await as('other-backend')).rest.post(path);
    expect([denied.status, denied.body.code]).toEqual([403, 'person_unknown']);
    expect((await (await as('pairwise-1', 'person-1')).rest.post(path)).body.status).toBe('APPROVED');
  });

  describe('an agent who acts for people (RFC 8693)', () => {
    const AGENT = { sub: 'agent-7', act: { sub: 'earlier-agent' } };

    test('approves nothing, and what it asked for is approved neither by its person nor as itself', async () => {
      const { as, ask } = await given();
      const path = await ask(await as('ana', 'person-1', 'web', AGENT));
      for (const own of [await as('ana-2', 'person-1'), await as('agent-7', 'person-3')]) {
        const denied = await own.rest.post(path);
        expect([denied.status, denied.body.code]).toEqual([403, 'own_approval']);
      }
      for (const act of [AGENT, { sub: 'agent-8', act: { sub: 'agent-7' } }]) {
        const denied = await (await as('ben', 'person-2', 'web', act)).rest.post(path);
        expect([denied.status, denied.body.code]).toEqual([403, 'not_for_agents']);
      }
      expect((await (await as('ben', 'person-2')).rest.post(path)).body.status).toBe('APPROVED');
    });

    test('is named by approvals, by the events of both and of what is done, and by denied attempts', async () => {
      const { program, as, ask } = await given();
      const by = await as('ana', 'person-1', 'web', AGENT);
      const path = await ask(by);
      const { body } = await by.rest.get(path.replace(/\/approve$/, ''));
      expect([body.subject, body.actor]).toEqual(['ana', 'agent-7']);
      await by.rest.post(path);
      const approver = await as('ben', 'person-2');
      expect((await approver.rest.post(path)).body.actor).toBe('agent-7');
      await persons.recorded();
      const events = `{ events(first: 20) { nodes { audit { action outcome subject actor } } } }`;
      const { data } = await approver.graphql(events);
      const told = (data.events.nodes as { audit: Record<string, unknown> }[]).map(({ audit }) => Object.values(audit));
      expect(told).toEqual(
        expect.arrayContaining([
          ['approval.request', 'DONE', 'ana', 'agent-7'],
          ['owner.add', 'DONE', 'ana', 'agent-7'],
          ['approval.approve', 'DENIED', 'ana', 'agent-7'],
          ['approval.approve', 'DONE', 'ben', null],
        ]),
      );
      const { rows } = await persons.sql.query<{ broken: number }>(
        `SELECT count(*)::int AS broken FROM event WHERE program = $1 AND data::text LIKE '%earlier%'`,
        [program],
      );
      expect(rows).toEqual([{ broken: 0 }]);
    });

    test.each([['agent-7'], [{}], [{ sub: 7 }], [{ sub: '' }], [[{ sub: 'agent-7' }]]])(
      'is named by the claim, and %j names none',
      async act => {
        const { as } = await given();
        expect((await (await as('ana', 'person-1', 'web', act)).rest.get('/approvals')).status).toBe(401);
      },
    );
  });

  test('a person that is no text is refused', async () => {
    const { as } = await given();
    expect((await (await as('pairwise-1', '')).rest.get('/approvals')).status).toBe(401);
  });
});
