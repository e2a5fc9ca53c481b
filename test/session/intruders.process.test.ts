import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { restCode, type GraphqlBody } from '../support/answers.js';
import { Bank, CARD_LAST4, JOINT, OTHERS_JOINT } from './bank.js';
import { ByHand, COOKIE, leastVariables, pageDocuments, type PageDocument } from './by-hand.js';

let bank: Bank;
let documents: readonly PageDocument[];
beforeAll(async () => {
  [bank, documents] = await Promise.all([Bank.open(), pageDocuments()]);
});
afterAll(() => bank.close());

const codesOf = (body: GraphqlBody<unknown>) => [
  ...new Set(body.errors?.map(({ extensions }) => restCode(extensions.code))),
];

describe('the session', () => {
  test('is a cookie that scripts cannot read, other hosts do not get, and that ends with the browser', async () => {
    const { headers, status, text } = await new ByHand(bank.gateway, null).post('/console/sign-in', { as: 'operator' });
    expect(status).toBe(200);
    const [cookie = '', ...others] = headers['set-cookie'] ?? [];
    expect(others).toEqual([]);
    const [pair = '', ...attributes] = cookie.split('; ');
    expect(pair).toMatch(new RegExp(`^${COOKIE}=[A-Za-z0-9_-]{43}$`));
    expect(attributes.sort()).toEqual(['HttpOnly', 'Path=/', 'SameSite=Strict', 'Secure']);
    expect(text).not.toContain(pair.split('=')[1]);
    expect(headers['cache-control']).toBe('no-store');
  });

  test('is kept as a hash, without a name in the clear', async () => {
    const { cookie } = await ByHand.signedIn(bank.gateway, 'operator');
    const { rows } = await bank.gateway.sql.query<Record<string, unknown>>('SELECT * FROM console_session');
    const stored = JSON.stringify(
      rows.map(row => Object.values(row).map(value => (Buffer.isBuffer(value) ? value.toString('latin1') : value))),
    );
    expect(stored).toContain('demo-operator');
    expect(stored).not.toContain('Otto');
    expect(stored).not.toContain(cookie?.split('=')[1]);
  });

  test('ends on the server when somebody signs out: the old cookie opens nothing', async () => {
    const operator = await ByHand.signedIn(bank.gateway, 'operator');
    const [document] = documents.filter(({ type }) => type === 'query') as [PageDocument];
    expect((await operator.get('/console/session')).body.signedIn).toBe(true);
    expect((await operator.post('/console/sign-out', {})).headers['set-cookie']?.[0]).toMatch(/Max-Age=0/);
    const attempts = [
      await operator.ask(document, {}),
      await operator.get(`/console/files/accounts/${JOINT}/Statements/${bank.own.statement}`),
    ];
    expect(attempts.map(({ status, body }) => [status, body.code ?? codesOf(body)[0]])).toEqual(
      attempts.map(() => [401, 'sign_in_required']),
    );
    expect((await operator.get('/console/session')).body.signedIn).toBe(false);
  });

  test('that has ended looks like one that never was', async () => {
    const operator = await ByHand.signedIn(bank.gateway, 'operator');
    await operator.post('/console/sign-out', {});
    const made = `${COOKIE}=${'A'.repeat(43)}`;
    for (const cookie of [operator.cookie, made, `${COOKIE}=`, null]) {
      const { status, headers, body } = await new ByHand(bank.gateway, cookie).get('/console/session');
      expect([status, body]).toEqual([200, { signedIn: false, signIn: 'demo' }]);
      expect([headers['cache-control'], headers['set-cookie']]).toEqual(['no-store', undefined]);
    }
  });

  test('of one person is no session of another', async () => {
    const [viewer, approver] = [
      await ByHand.signedIn(bank.gateway, 'viewer'),
      await ByHand.signedIn(bank.gateway, 'approver'),
    ];
    const both = new ByHand(bank.gateway, `${String(viewer.cookie)}; ${String(approver.cookie)}`);
    expect((await both.get('/console/session')).body.signedIn).toBe(false);
  });
});

describe('a page of another host', () => {
  const FOREIGN = [
    { 'sec-fetch-site': 'cross-site', origin: 'https://quill.example' },
    { 'sec-fetch-site': 'same-site', origin: 'https://other.bank.example' },
    { 'sec-fetch-site': undefined, origin: 'https://quill.example' },
    { 'sec-fetch-site': undefined, origin: 'null' },
    { 'sec-fetch-site': undefined, origin: undefined },
  ];

  test.each(FOREIGN)('with %j changes nothing with the cookie of an operator, and ends no session', async headers => {
    const operator = await ByHand.signedIn(bank.gateway, 'operator');
    const forged = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
    const send = (path: string, body: object) =>
      bank.gateway.http.send({
        method: 'POST',
        path,
        body,
        headers: {
          ...forged,
          cookie: String(operator.cookie),
          'content-type': 'application/json',
        },
      });
    const before = await bank.gateway.rows();
    for (const document of documents) {
      const extensions = { persistedQuery: { version: 1, sha256Hash: document.id } };
      const { status, text } = await send('/console/graphql', {
        extensions,
        variables: await leastVariables(document, {}),
      });
      expect([document.name, status, text]).toEqual([document.name, 403, expect.stringContaining('FOREIGN_PAGE')]);
    }
    for (const path of ['/console/sign-out', '/console/sign-in']) {
      expect((await send(path, { as: 'viewer' })).status).toBe(403);
    }
    expect((await operator.get('/console/session')).body.subject).toBe('demo-operator');
    expect(await bank.gateway.rows()).toEqual(before);
  });

  test('gets no document or file into a frame, an image or a script', async () => {
    const operator = await ByHand.signedIn(bank.gateway, 'operator');
    const path = `/console/files/accounts/${JOINT}/Statements/${bank.own.statement}`;
    expect((await operator.get(path, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    const { status, headers } = await operator.get(path);
    expect(status).toBe(200);
    expect(headers['content-security-policy']).toMatch(/default-src 'none'/);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['cross-origin-resource-policy']).toBe('same-origin');
  });
});

test('the page is at /console and at every address below it, also with a slash at the end', async () => {
  for (const path of ['/console', '/console/', `/console/accounts/${JOINT}`]) {
    const { status, headers } = await new ByHand(bank.gateway, null).get(path, { 'sec-fetch-site': 'none' });
    expect([path, status, headers['content-type']]).toEqual([path, 200, 'text/html; charset=utf-8']);
  }
});

describe('the address of the documents', () => {
  test('answers nothing that is not of the page, and takes no token in place of a session', async () => {
    const operator = await ByHand.signedIn(bank.gateway, 'operator');
    const own = await operator.post('/console/graphql', { query: '{ accounts { nodes { accountId } } }' });
    expect(own.text).toContain('PERSISTED_OPERATION_REQUIRED');
    const unknown = await operator.ask({ id: 'a'.repeat(64), name: 'Mine', type: 'query', body: '' }, {});
    expect(unknown.text).toContain('PERSISTED_QUERY_NOT_FOUND');
    const token = await bank.gateway.caller({});
    const stranger = new ByHand(bank.gateway, null);
    const { status } = await stranger.ask(documents[0] as PageDocument, {}, { authorization: `Bearer ${token}` });
    expect(status).toBe(401);
  });

  test('is no way to the API for a session: only tokens are taken there', async () => {
    const operator = await ByHand.signedIn(bank.gateway, 'operator');
    expect((await operator.post('/graphql', { query: '{ feedCursor }' })).status).toBe(401);
    expect((await operator.get(`/accounts/${JOINT}`)).status).toBe(401);
    expect((await operator.post(`/console/files/accounts/${JOINT}/holds`, {})).status).toBe(405);
  });
});

describe('a viewer', () => {
  test('is refused every change that the page can send, by the gateway', async () => {
    const viewer = await ByHand.signedIn(bank.gateway, 'viewer');
    const before = await bank.gateway.rows();
    const { own } = bank;
    const ids = {
      number: '9999002041004417',
      last4: CARD_LAST4,
      expiration: '1299',
      accountId: JOINT,
      cardId: own.card,
      holdId: own.hold,
      beneficiaryId: own.beneficiary,
      endpointId: own.endpoint,
    };
    for (const document of documents.filter(({ type }) => type === 'mutation')) {
      const { body } = await viewer.ask(document, await leastVariables(document, ids));
      expect([document.name, codesOf(body)]).toEqual([document.name, ['insufficient_scope']]);
    }
    expect(await bank.gateway.rows()).toEqual(before);
  });

  test('gets no personal data in the clear from any document of the page', async () => {
    const viewer = await ByHand.signedIn(bank.gateway, 'viewer');
    for (const document of documents.filter(({ type }) => type === 'query')) {
      const { text } = await viewer.ask(document, await leastVariables(document, { accountId: JOINT }));
      expect([document.name, text]).not.toEqual([document.name, expect.stringMatching(/900-?00-?208\d|1968-04-17/)]);
    }
  });
});

describe('the operator of another program', () => {
  test('finds nothing of this one by any document of the page, and changes nothing of it', async () => {
    const operator = await ByHand.signedIn(bank.gateway, 'operator');
    const { others } = bank;
    const ids = {
      accountId: OTHERS_JOINT,
      cardId: others.card,
      holdId: others.hold,
      endpointId: others.endpoint,
      beneficiaryId: others.beneficiary,
      statementId: others.statement,
    };
    const before = await bank.gateway.rows();
    for (const document of documents.filter(({ type }) => type !== 'subscription')) {
      const { text } = await operator.ask(document, {
        ...(await leastVariables(document, ids)),
        ...(document.type === 'query' && ids),
      });
      expect([document.name, text]).not.toEqual([document.name, expect.stringMatching(/acme|00002042/)]);
    }
    const after = await bank.gateway.rows();
    expect(after['beneficiary']).toBe(before['beneficiary']);
    const file = await operator.get(`/console/files/accounts/${OTHERS_JOINT}/Statements/${others.statement}`);
    expect([file.status, file.body.code]).toEqual([404, 'account_not_found']);
  });
});
