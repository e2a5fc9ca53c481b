import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { keyed, startTestGateway, unique, type Answer, type TestGateway } from '../support/gateway.js';
import { pdfOf } from '../support/statement.js';
import { ADD, BOTH, PDF, uploadsOf, type UploadCalls, type UploadTarget } from './support/uploads.js';

let gateway: TestGateway;
let APIS: UploadCalls;
beforeAll(async () => {
  gateway = await startTestGateway();
  APIS = uploadsOf(gateway);
});
afterAll(() => gateway.stop());

const download = ({ caller }: UploadTarget, path: string | undefined): Promise<Answer> =>
  gateway.as(caller).raw({ path: String(path) });

describe.each(BOTH)('through %s', api => {
  test('a PDF is stored as it was sent, and listed with the rest', async () => {
    const given = await gateway.given.account();
    const document = pdfOf('From the partner');
    const { status, path } = await APIS[api](given, { statementDate: '2026-01-31', document });
    expect(status).toBe(api === 'REST' ? 201 : 200);
    const answer = await download(given, path);
    expect(answer.bytes.equals(document)).toBe(true);
    expect(answer.headers).toMatchObject({
      etag: `"${createHash('sha256').update(document).digest('hex')}"`,
      'content-disposition': 'attachment; filename="statement-2026-01-31.pdf"',
    });
    const { body } = await gateway.as(given.caller).rest.get(`/accounts/${given.account}/statements`);
    expect(body.statements).toMatchObject([
      { statementDate: '2026-01-31', description: '2026-01-31', documentType: 'Statements' },
    ]);
  });

  test('ten MiB are taken whole', async () => {
    const given = await gateway.given.account();
    const document = pdfOf('Ten MiB', 10 * 1024 * 1024);
    const { path } = await APIS[api](given, { statementDate: '2026-01-31', document });
    expect((await download(given, path)).bytes.equals(document)).toBe(true);
  });

  test('a closed account takes documents, since its last one comes after it was closed', async () => {
    const closed = await gateway.given.account({ status: 'CLOSED' });
    const { status } = await APIS[api](closed, { statementDate: '2026-01-31', document: pdfOf() });
    expect(status).toBe(api === 'REST' ? 201 : 200);
    const { body } = await gateway.as(closed.caller).rest.get(`/accounts/${closed.account}/statements`);
    expect(body.page.totalElements).toBe(1);
  });

  test('the same PDF twice without a key is two documents', async () => {
    const given = await gateway.given.account();
    const upload = { statementDate: '2026-01-31', document: pdfOf() };
    const [one, two] = [await APIS[api](given, upload), await APIS[api](given, upload)];
    expect(one.path).not.toBe(two.path);
    const { body } = await gateway.as(given.caller).rest.get(`/accounts/${given.account}/statements`);
    expect(body.page.totalElements).toBe(2);
  });

  test.each(BOTH)('a retry with its key through %s is one document', async other => {
    const given = await gateway.given.account();
    const upload = { statementDate: '2026-01-31', document: pdfOf(), headers: keyed(unique('key')) };
    const first = await APIS[api](given, { ...upload, description: '2026-01-31' });
    expect(first.replayed).toBe(false);
    const before = await gateway.rows();
    // A description that is absent is the statement date, and so is an empty one in JSON.
    const again = await APIS[other](given, { ...upload, ...(other === 'GraphQL' && { description: '' }) });
    expect(again.replayed).toBe(true);
    if (other === api) expect([again.status, again.path]).toEqual([first.status, first.path]);
    expect(await gateway.rows()).toEqual(before);
    expect((await download(given, again.path)).bytes.equals(upload.document)).toBe(true);
  });

  test.each([
    ['other bytes', { document: pdfOf('Other bytes') }],
    ['another date', { statementDate: '2026-01-30' }],
    ['another description', { description: 'Other' }],
  ])('a key with %s is refused, and nothing is stored', async (_what, change) => {
    const given = await gateway.given.account();
    const upload = { statementDate: '2026-01-31', document: pdfOf(), headers: keyed(unique('key')) };
    await APIS[api](given, upload);
    const before = await gateway.rows();
    for (const other of BOTH) {
      const { status, code } = await APIS[other](given, { ...upload, ...change });
      expect([code, other === 'REST' ? status : 422]).toEqual(['idempotency_key_reused', 422]);
    }
    expect(await gateway.rows()).toEqual(before);
  });

  test('two uploads at the same time under one key are one document', async () => {
    const given = await gateway.given.account();
    const upload = { statementDate: '2026-01-31', document: pdfOf(), headers: keyed(unique('key')) };
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => APIS[api](given, upload)));
    expect(new Set(outcomes.map(({ path }) => path)).size).toBe(1);
    const { body } = await gateway.as(given.caller).rest.get(`/accounts/${given.account}/statements`);
    expect(body.page.totalElements).toBe(1);
  });

  test('its event says which document, and nothing of what is in it or how it is called', async () => {
    const given = await gateway.given.account();
    const document = pdfOf('Secret of Marisol');
    const { path } = await APIS[api](given, { statementDate: '2026-01-31', description: 'For Marisol', document });
    const { rows } = await gateway.sql.query('SELECT action, object, data FROM event WHERE account_id = $1', [
      given.account,
    ]);
    const sha256 = createHash('sha256').update(document).digest('hex');
    expect(rows).toEqual([
      {
        action: 'statement.add',
        object: `statement/${path?.split('/').at(-1)}`,
        data: {
          statementDate: '2026-01-31',
          sizeBytes: document.length,
          sha256,
        },
      },
    ]);
  });

  test('what is stored of a document, and what is logged, does not have its words', async () => {
    const given = await gateway.given.account();
    const logged = gateway.log.length;
    const words = `Words${unique('')}`;
    const headers = keyed(unique('key'));
    await APIS[api](given, { statementDate: '2026-01-31', document: pdfOf(words), headers });
    const sources = ['statement', 'event'].map(
      table => `SELECT encode(convert_to(t::text, 'UTF8'), 'hex') AS hex FROM ${table} t WHERE account_id = $1`,
    );
    const { rows } = await gateway.sql.query<{ hex: string }>(
      `${sources.join(' UNION ALL ')} UNION ALL SELECT encode(pdf, 'hex') FROM statement WHERE account_id = $1
        UNION ALL SELECT encode(outcome, 'hex') FROM idempotency_key`,
      [given.account],
    );
    expect(rows.length).toBeGreaterThan(3);
    for (const { hex } of rows) {
      expect(Buffer.from(hex, 'hex').toString('latin1')).not.toContain(words);
      expect(Buffer.from(hex, 'hex').toString('latin1')).not.toContain('%PDF');
    }
    const log = gateway.log.slice(logged).join('');
    expect(log).not.toContain(words);
    expect(log).not.toContain(Buffer.from('%PDF-1.7').toString('base64').slice(0, 10));
  });
});

test('the REST answer is the record of the contract and where the document is', async () => {
  const { account, caller } = await gateway.given.account();
  const path = `/accounts/${account}/statements?statementDate=2026-01-31&description=January%20%E2%80%94%20%E6%9C%88`;
  const { status, headers, body } = await gateway.as(caller).raw({ method: 'POST', path, headers: PDF, body: pdfOf() });
  expect([status, headers.location]).toEqual([201, `/accounts/${account}/Statements/${body.statementId}`]);
  expect(Object.keys(body)).toEqual([
    'statementId',
    'accountId',
    'description',
    'documentType',
    'statementDate',
    'links',
    'source',
  ]);
  expect(body).toMatchObject({
    accountId: account,
    description: 'January — 月',
    documentType: 'Statements',
    statementDate: '2026-01-31',
    links: [],
    source: 'PARTNER',
  });
});

test('the GraphQL answer has all that is known of the document', async () => {
  const { account, caller } = await gateway.given.account();
  const document = pdfOf();
  const input = { statementDate: '2026-01-31', description: 'January', document: document.toString('base64') };
  const { data } = await gateway.as(caller).graphql(ADD, { account, input });
  const { statementId, issuedAt } = data.addStatement.statement;
  expect(data.addStatement.statement).toEqual({
    statementId: expect.any(String),
    accountId: account,
    description: 'January',
    documentType: 'STATEMENTS',
    source: 'PARTNER',
    statementDate: '2026-01-31',
    issuedAt: expect.any(String),
    correctsStatementId: null,
    sizeBytes: document.length,
    sha256: createHash('sha256').update(document).digest('hex'),
    downloadPath: `/accounts/${account}/Statements/${statementId}`,
  });
  const again = await gateway
    .as(caller)
    .graphql(`query ($a: ID!, $id: ID!) { account(accountId: $a) { statement(statementId: $id) { issuedAt } } }`, {
      a: account,
      id: statementId,
    });
  expect(again.data.account.statement).toEqual({ issuedAt });
});

test('a document may be a literal in the GraphQL document, too', async () => {
  const given = await gateway.given.account();
  const document = pdfOf('Literal', 100_000);
  const { data } = await gateway
    .as(given.caller)
    .graphql(
      `mutation { addStatement(input: { accountId: "${given.account}", statement: { statementDate: "2026-01-31", document: "${document.toString('base64')}" } }) { statement { downloadPath } } }`,
    );
  expect((await download(given, data.addStatement.statement.downloadPath)).bytes.equals(document)).toBe(true);
});
