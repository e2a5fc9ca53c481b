import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import type { Connection, RestPage } from '../support/answers.js';
import type { GivenAccount } from '../support/given.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const FIELDS = `statementId accountId description documentType source statementDate issuedAt correctsStatementId sizeBytes sha256 downloadPath`;
const LIST = `query ($account: ID!, $first: Int, $after: String, $filter: StatementFilter) { account(accountId: $account) {
  statements(first: $first, after: $after, filter: $filter) {
    totalCount nodes { statementId } edges { cursor node { statementId } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }`;
const ONE = `query ($account: ID!, $id: ID!) { account(accountId: $account) { statement(statementId: $id) { ${FIELDS} } } }`;

/** Twelve statements of 2025 and two tax forms, given in no order, and listed here newest first. */
async function yearOfDocuments(): Promise<GivenAccount & { all: string[]; taxForms: string[] }> {
  const account = await gateway.given.account();
  const month = (number: number) => `2025-${String(number).padStart(2, '0')}-28`;
  const statements: string[] = Array<string>(12).fill('');
  for (const number of [7, 2, 12, 1, 9, 4, 3, 11, 5, 10, 8, 6]) {
    const { statement } = await gateway.given.statement({ of: account, statementDate: month(number) });
    statements[12 - number] = statement;
  }
  const tax = { of: account, documentType: 'TAX_1099' } as const;
  const older = await gateway.given.statement({ ...tax, statementDate: '2024-12-31' });
  const newer = await gateway.given.statement({ ...tax, statementDate: '2025-12-31' });
  const taxForms = [newer.statement, older.statement];
  return { ...account, all: [newer.statement, ...statements, older.statement], taxForms };
}

interface StatementItem {
  readonly statementId: string;
}

interface StatementPage extends RestPage {
  readonly statements: readonly (StatementItem & { readonly statementDate: string })[];
}

const idsOf = (statements: readonly StatementItem[]) => statements.map(({ statementId }) => statementId);

const pagesFrom = (caller: string, path: string) => gateway.as(caller).pages<StatementPage>(path);

test('the REST list has every field of the contract and no other', async () => {
  const given = await gateway.given.statement({ statementDate: '1993-06-30' });
  await gateway.given.statement({ of: given, documentType: 'TAX_1099', statementDate: '1992-12-31' });
  const { status, headers, body } = await gateway.as(given.caller).rest.get(`/accounts/${given.account}/statements`);
  expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
  expect(Object.keys(body)).toEqual(['page', 'links', 'statements']);
  expect(Object.keys(body.statements[0])).toEqual([
    'statementId',
    'accountId',
    'description',
    'documentType',
    'statementDate',
    'links',
    'source',
  ]);
  const ofAccount = { accountId: given.account, links: [] };
  expect(body).toEqual({
    page: { totalElements: 2 },
    links: {},
    statements: [
      {
        statementId: given.statement,
        ...ofAccount,
        documentType: 'Statements',
        statementDate: '1993-06-30',
        description: '1993-06-30',
        source: 'PLATFORM',
      },
      {
        statementId: expect.any(String),
        ...ofAccount,
        documentType: '1099',
        statementDate: '1992-12-31',
        description: '1992-12-31',
        source: 'PLATFORM',
      },
    ],
  });
});

test('an account without documents has an empty page', async () => {
  const { account, caller } = await gateway.given.account();
  for (const query of ['', '?offSet=7&documentType=1099']) {
    const { body } = await gateway.as(caller).rest.get(`/accounts/${account}/statements${query}`);
    expect(body).toEqual({ page: { totalElements: 0 }, links: {}, statements: [] });
  }
  const { data } = await gateway.as(caller).graphql(LIST, { account });
  expect(data.account.statements).toEqual({
    totalCount: 0,
    nodes: [],
    edges: [],
    pageInfo: {
      hasNextPage: false,
      hasPreviousPage: false,
      startCursor: null,
      endCursor: null,
    },
  });
});

test('links lead from the newest document to the oldest, ten at a time', async () => {
  const { account, caller, all } = await yearOfDocuments();
  const pages = await pagesFrom(caller, `/accounts/${account}/statements`);
  expect(pages.map(({ page }) => page)).toEqual([{ nextOffset: '10', totalElements: 14 }, { totalElements: 14 }]);
  expect(pages[0].links).toEqual({ next: { href: `/accounts/${account}/statements?offSet=10&limit=10` } });
  expect(pages.flatMap(({ statements }) => idsOf(statements))).toEqual(all);
});

test('the list can be cut into pages of any size, by either spelling of the offset', async () => {
  const { account, caller, all } = await yearOfDocuments();
  for (const limit of [1, 5, 7, 14]) {
    const pages = await pagesFrom(caller, `/accounts/${account}/statements?limit=${limit}`);
    expect(pages).toHaveLength(Math.ceil(14 / limit));
    expect(pages.flatMap(({ statements }) => idsOf(statements))).toEqual(all);
  }
  for (const name of ['offSet', 'offset']) {
    const { body } = await gateway.as(caller).rest.get(`/accounts/${account}/statements?${name}=12&limit=1000`);
    expect([body.page, idsOf(body.statements)]).toEqual([{ totalElements: 14 }, all.slice(12)]);
  }
});

test('a filter of the REST list is in any case of letters, counts what it finds, and goes on in the links', async () => {
  const { account, caller, all, taxForms } = await yearOfDocuments();
  const statements = all.filter(id => !taxForms.includes(id));
  for (const name of ['Statements', 'statements', 'STATEMENTS']) {
    const pages = await pagesFrom(caller, `/accounts/${account}/statements?documentType=${name}&limit=5`);
    expect(pages.flatMap(page => idsOf(page.statements))).toEqual(statements);
    expect(pages.map(({ page }) => page.totalElements)).toEqual([12, 12, 12]);
    expect(pages[0].links.next?.href).toBe(`/accounts/${account}/statements?offSet=5&limit=5&documentType=Statements`);
  }
  const pages = await pagesFrom(caller, `/accounts/${account}/statements?documentType=1099&limit=1`);
  expect(pages.flatMap(page => idsOf(page.statements))).toEqual(taxForms);
});

test.each(['documentType=', 'documentType=1098', 'documentType=TAX_1099', 'documentType=1099&documentType=1099'])(
  'the REST list does not take %s',
  async query => {
    const { account, caller } = await gateway.given.account();
    const { status, body } = await gateway.as(caller).rest.get(`/accounts/${account}/statements?${query}`);
    expect([status, body.code, body.errors[0].pointer]).toEqual([400, 'invalid_input', '/documentType']);
  },
);

test('the account in a link is encoded as it was in the request', async () => {
  const account = await gateway.given.account({ accountId: `a/b?c#${randomUUID().slice(0, 8)}` });
  for (const statementDate of ['2026-01-31', '2026-02-28']) {
    await gateway.given.statement({ of: account, statementDate });
  }
  const pages = await pagesFrom(account.caller, `/accounts/${encodeURIComponent(account.account)}/statements?limit=1`);
  expect(pages.map(({ statements }) => statements[0]?.statementDate)).toEqual(['2026-02-28', '2026-01-31']);
});

describe('documents of the same day are listed', () => {
  test('the last issued first, and by id where that is the same, too', async () => {
    const account = await gateway.given.account();
    const given = (issuedAt: string, statementId: string) =>
      gateway.given.statement({
        of: account,
        documentType: 'STATEMENTS',
        source: 'PARTNER',
        statementDate: '2026-03-31',
        issuedAt,
        statementId,
      });
    const low = `00000000${randomUUID().slice(8)}`;
    const high = `ffffffff${randomUUID().slice(8)}`;
    const early = await given('2026-04-01T00:00:00.001Z', high);
    const late = randomUUID();
    await given('2026-04-01T00:00:00.002Z', low);
    await given('2026-04-01T00:00:00.003Z', late);
    const again = `eeeeeeee${randomUUID().slice(8)}`;
    await given('2026-04-01T00:00:00.002Z', again);
    const newestFirst = [late, again, low, early.statement];

    const pages = await pagesFrom(account.caller, `/accounts/${account.account}/statements?limit=1`);
    expect(pages.flatMap(({ statements }) => idsOf(statements))).toEqual(newestFirst);
    expect(await byCursor(account, { first: 1 })).toEqual(newestFirst);
  });
});

interface Args {
  readonly first?: number;
  readonly after?: string | null;
  readonly filter?: { readonly documentTypes: string };
}

async function listed({ account, caller }: GivenAccount, args: Args): Promise<Connection<StatementItem>> {
  const { data, errors } = await gateway
    .as(caller)
    .graphql<{ account: { statements: Connection<StatementItem> } }>(LIST, { account, ...args });
  expect(errors).toBeUndefined();
  return data.account.statements;
}

/** Reads a list to its end by cursors. */
async function byCursor(given: GivenAccount, args: Args): Promise<string[]> {
  const ids: string[] = [];
  let after: string | null = null;
  for (;;) {
    const { nodes, edges, pageInfo }: Connection<StatementItem> = await listed(given, { after, ...args });
    expect(pageInfo.hasPreviousPage).toBe(after !== null);
    expect(edges.map(({ node }) => node)).toEqual(nodes);
    ids.push(...idsOf(nodes));
    expect(pageInfo.endCursor).toBe(edges.at(-1)?.cursor);
    if (!pageInfo.hasNextPage) return ids;
    after = pageInfo.endCursor;
  }
}

test('cursors lead from the newest document to the oldest, with a filter and without', async () => {
  const given = await yearOfDocuments();
  for (const first of [1, 5, 14]) expect(await byCursor(given, { first })).toEqual(given.all);
  const statements = given.all.filter(id => !given.taxForms.includes(id));
  expect(await byCursor(given, { first: 5, filter: { documentTypes: 'STATEMENTS' } })).toEqual(statements);
  expect(await byCursor(given, { first: 1, filter: { documentTypes: 'TAX_1099' } })).toEqual(given.taxForms);
});

test('documents that arrive while somebody reads neither repeat nor hide any by cursor', async () => {
  const given = await yearOfDocuments();
  const { endCursor } = (await listed(given, { first: 7 })).pageInfo;
  await gateway.given.statement({ of: given, statementDate: '2026-01-31' });
  expect(idsOf((await listed(given, { first: 100, after: endCursor })).nodes)).toEqual(given.all.slice(7));
});

test.each(['x', 'aaaa', Buffer.from('2026-01-31').toString('base64url'), randomUUID()])(
  'the cursor %j is none of this list',
  async after => {
    const { account, caller } = await gateway.given.account();
    const { data, errors } = await gateway.as(caller).graphql(LIST, { account, after });
    expect(data.account).toEqual({ statements: null });
    expect(errors).toMatchObject([{ path: ['account', 'statements'], extensions: { code: 'RULE_BROKEN' } }]);
  },
);

test('a document is found with all that is known of it', async () => {
  const first = await gateway.given.statement({ documentType: 'TAX_1099' });
  const corrected = await gateway.given.statement({
    of: first,
    documentType: 'TAX_1099',
    correctsStatementId: first.statement,
    statementDate: '2025-12-31',
    issuedAt: '2026-02-03T04:05:06.700Z',
  });
  const me = gateway.as(first.caller);
  for (const id of [corrected.statement, corrected.statement.toUpperCase()]) {
    const { data } = await me.graphql(ONE, { account: first.account, id });
    const { headers } = await me.rest.get(corrected.path);
    expect(data.account.statement).toEqual({
      statementId: corrected.statement,
      accountId: first.account,
      description: '2025-12-31',
      documentType: 'TAX_1099',
      source: 'PLATFORM',
      statementDate: '2025-12-31',
      issuedAt: '2026-02-03T04:05:06.700Z',
      correctsStatementId: first.statement,
      sizeBytes: corrected.pdf.length,
      sha256: headers.etag?.slice(1, -1),
      downloadPath: corrected.path,
    });
  }
});

test('what is no document of the account is null', async () => {
  const [one, other] = [await gateway.given.statement(), await gateway.given.statement()];
  for (const id of [other.statement, randomUUID(), 'x', '', '../..', "'"]) {
    const { data, errors } = await gateway.as(one.caller).graphql(ONE, { account: one.account, id });
    expect([data.account.statement, errors]).toEqual([null, undefined]);
  }
});

test('a list needs the scope statements.read, and to read no byte of a document', async () => {
  const { account, program, statement } = await gateway.given.statement();
  const blind = gateway.as(await gateway.caller({ program, scopes: ['accounts.read', 'operations'] }));
  const refused = await blind.rest.get(`/accounts/${account}/statements`);
  expect([refused.status, refused.body.code]).toEqual([403, 'insufficient_scope']);
  expect(refused.headers['www-authenticate']).toContain('scope="statements.read"');
  for (const query of [LIST, ONE]) {
    const { status, data, errors } = await blind.graphql(query, { account, id: statement });
    expect([status, Object.values(data.account), errors?.[0].extensions.code]).toEqual([
      200,
      [null],
      'INSUFFICIENT_SCOPE',
    ]);
  }
  // A document that cannot be decrypted any more is listed all the same.
  await gateway.sql.query(`UPDATE statement SET sealed_key = '' WHERE statement_id = $1`, [statement]);
  const reader = gateway.as(await gateway.caller({ program, scopes: ['statements.read'] }));
  expect(idsOf((await reader.rest.get(`/accounts/${account}/statements`)).body.statements)).toEqual([statement]);
});
