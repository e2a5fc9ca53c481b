import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { SCOPES } from '../../src/shared/caller.js';
import { keyed, startTestGateway, unique, type TestGateway } from '../support/gateway.js';
import type { GivenAccount } from '../support/given.js';
import { entry, post } from '../transaction/support/ledger.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const ADD = `mutation ($input: NoteInput!) { addNote(input: { note: $input }) { note { noteId accountId transactionId customerId text subject } } }`;
const LIST = `query ($filter: NoteFilter!, $first: Int, $after: String) { notes(filter: $filter, first: $first, after: $after) {
  nodes { noteId text } pageInfo { hasNextPage endCursor } totalCount } }`;

interface NoteList {
  readonly notes: {
    readonly nodes: readonly { readonly noteId: string; readonly text: string }[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
    readonly totalCount: number;
  };
}

/** An account with a transaction. */
async function ledger(): Promise<GivenAccount & { readonly transactionId: string }> {
  const of = await gateway.given.account();
  const transactionId = unique('tx');
  await post(gateway, of, [entry({ transactionId, amount: '10' })]);
  return { ...of, transactionId };
}

const textsOf = ({ notes }: NoteList) => notes.nodes.map(({ text }) => text);

describe('a note', () => {
  test('about an account, its transaction or a customer is read again, alike over GraphQL and REST', async () => {
    const { account, transactionId, owners, caller } = await ledger();
    const me = gateway.as(caller);
    const { rest } = me;
    const customerId = owners[0] as string;
    const added = await rest.post('/notes', { accountId: account, text: 'Called back.' });
    expect(added.status).toBe(201);
    expect(added.body).toMatchObject({ accountId: account, transactionId: '', customerId: '', text: 'Called back.' });
    const inputs = [
      { accountId: account, transactionId, text: 'Is in dispute.' },
      { customerId, text: 'Prefers letters.' },
    ];
    for (const input of inputs) {
      const { data, errors } = await me.graphql(ADD, { input });
      expect(errors).toBeUndefined();
      expect(data.addNote.note).toMatchObject(input);
    }
    const list = async (filter: object) => (await me.graphql<NoteList>(LIST, { filter })).data;
    expect(textsOf(await list({ accountId: account }))).toEqual(['Is in dispute.', 'Called back.']);
    expect(textsOf(await list({ accountId: account, transactionId }))).toEqual(['Is in dispute.']);
    expect(textsOf(await list({ customerId }))).toEqual(['Prefers letters.']);
    const { body } = await rest.get(`/notes?accountId=${account}&limit=1`);
    expect(body.notes).toHaveLength(1);
    const { body: rest2 } = await rest.get(body.links.next.href);
    expect([rest2.notes, rest2.links]).toEqual([[added.body], {}]);
  });

  test('is an event that does not say what it says', async () => {
    const { account, owners, caller } = await ledger();
    const me = gateway.as(caller);
    const { rest } = me;
    const customerId = owners[0] as string;
    const [one, other] = [
      await rest.post('/notes', { accountId: account, text: 'Juniper called.' }),
      await rest.post('/notes', { customerId, text: 'Juniper called again.' }),
    ];
    const events = async (filter: object) => {
      const query = `query ($filter: EventFilter) { events(filter: $filter) { nodes { type object payload audit { data } } } }`;
      return (await me.graphql<{ events: { nodes: readonly object[] } }>(query, { filter })).data.events.nodes;
    };
    const { noteId } = one.body;
    expect(await events({ accountId: account, types: ['note.added'] })).toEqual([
      {
        type: 'note.added',
        object: `account/${account}`,
        payload: expect.objectContaining({ accountId: account, noteId }),
        audit: { data: { noteId } },
      },
    ]);
    expect(await events({ customerId })).toEqual([
      expect.objectContaining({ type: 'customer.note_added', audit: { data: { noteId: other.body.noteId } } }),
    ]);
  });

  test('is written once under a key, and is sealed in the database', async () => {
    const { account, caller } = await ledger();
    const { rest } = gateway.as(caller);
    const text = `The caller is ${unique('Ashdown')}.`;
    const key = keyed(unique('note'));
    const [first, again] = [
      await rest.post('/notes', { accountId: account, text }, key),
      await rest.post('/notes', { accountId: account, text }, key),
    ];
    expect([again.status, again.body, again.headers['idempotent-replayed']]).toEqual([201, first.body, 'true']);
    const { rows } = await gateway.sql.query<{ row: string }>(
      'SELECT n::text AS row FROM note n WHERE account_id = $1',
      [account],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.row).not.toContain(text);
    expect(rows[0]?.row).not.toContain(Buffer.from(text).toString('hex'));
  });

  test('is about one thing that the program has', async () => {
    const { account, owners, caller } = await ledger();
    const { transactionId } = await ledger();
    const stranger = await gateway.given.account();
    const { rest } = gateway.as(caller);
    const codeOf = async (input: object) => {
      const { status, body } = await rest.post('/notes', { text: 'Hello.', ...input });
      return [status, body.errors?.[0]?.code ?? body.code];
    };
    expect(await codeOf({})).toEqual([422, 'alternatives']);
    expect(await codeOf({ accountId: account, customerId: owners[0] })).toEqual([422, 'alternatives']);
    expect(await codeOf({ customerId: owners[0], transactionId })).toEqual([422, 'alternatives']);
    expect(await codeOf({ accountId: stranger.account })).toEqual([404, 'account_not_found']);
    expect(await codeOf({ accountId: account, transactionId })).toEqual([404, 'transaction_not_found']);
    expect(await codeOf({ customerId: stranger.owners[0] })).toEqual([404, 'customer_not_found']);
    expect(await codeOf({ customerId: randomUUID() })).toEqual([404, 'customer_not_found']);
    expect((await rest.get('/notes')).status).toBe(422);
  });

  test('is never read by a customer or another program', async () => {
    const { account, owners, program, caller } = await ledger();
    await gateway.as(caller).rest.post('/notes', { accountId: account, text: 'Watch this one.' });
    const customer = await gateway.caller({ program, customerId: owners[0] as string, scopes: SCOPES });
    const path = `/notes?accountId=${account}`;
    expect((await gateway.as(customer).rest.get(path)).body.code).toBe('program_wide_only');
    expect(
      (await gateway.as(customer).graphql(LIST, { filter: { accountId: account } })).errors?.[0]?.extensions?.code,
    ).toBe('PROGRAM_WIDE_ONLY');
    const other = await gateway.caller({ program: gateway.given.program(), scopes: SCOPES });
    expect((await gateway.as(other).rest.get(path)).body.notes).toEqual([]);
  });
});
