import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestGateway, unique, type TestGateway } from '../support/gateway.js';
import type { GivenStatement } from '../support/given.js';
import { about, downloads } from './support/download.js';

let gateway: TestGateway;
let { get, head } = {} as ReturnType<typeof downloads>;
beforeAll(async () => {
  gateway = await startTestGateway();
  ({ get, head } = downloads(gateway));
});
afterAll(() => gateway.stop());

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

const CSV_TYPE = 'text/csv; charset=utf-8; header=present';
const JSON_TYPE = 'application/json; charset=utf-8';

const KINDS = {
  statement: () => gateway.given.statement({ statementDate: '1993-06-30' }),
  'corrected statement': async () => {
    const { statement, ...of } = await gateway.given.statement({ statementDate: '1993-06-30' });
    return gateway.given.statement({ of, statementDate: '1993-06-30', correctsStatementId: statement });
  },
  'tax form': () => gateway.given.statement({ documentType: 'TAX_1099', statementDate: '1993-12-31' }),
  'corrected tax form': async () => {
    const given = { documentType: 'TAX_1099', statementDate: '1993-12-31' } as const;
    const { statement, ...of } = await gateway.given.statement(given);
    return gateway.given.statement({ of, ...given, correctsStatementId: statement });
  },
  "partner's statement": () => gateway.given.statement({ source: 'PARTNER', statementDate: '1993-06-30' }),
};
type Kind = keyof typeof KINDS;

describe('a download', () => {
  const forms: readonly [Kind, accept: string | undefined, type: string, fileName: string][] = [
    ['statement', undefined, 'application/pdf', 'statement-1993-06-30.pdf'],
    ['statement', 'application/json', JSON_TYPE, 'statement-1993-06-30.json'],
    ['statement', 'text/csv', CSV_TYPE, 'statement-1993-06-30.csv'],
    ['corrected statement', undefined, 'application/pdf', 'statement-1993-06-30-corrected.pdf'],
    ['tax form', undefined, 'application/pdf', 'form-1099-int-1993.pdf'],
    ['tax form', 'application/json', JSON_TYPE, 'form-1099-int-1993.json'],
    ['corrected tax form', undefined, 'application/pdf', 'form-1099-int-1993-corrected.pdf'],
    ["partner's statement", undefined, 'application/pdf', 'statement-1993-06-30.pdf'],
  ];

  test.each(forms)('of a %s for %s has all its headers, by GET and by HEAD', async (kind, accept, type, fileName) => {
    const given = await KINDS[kind]();
    const asked: Record<string, string> = accept === undefined ? {} : { accept };
    const answer = await get(given, asked);
    expect(about(answer)).toEqual([
      200,
      {
        'content-type': type,
        'content-length': String(answer.bytes.length),
        'content-disposition': `attachment; filename="${fileName}"`,
        etag: `"${sha256(answer.bytes)}"`,
        'accept-ranges': 'bytes',
        'cache-control': 'private, no-store',
        vary: 'Accept',
      },
    ]);
    const headOnly = await head(given, asked);
    expect(about(headOnly)).toEqual(about(answer));
    expect(headOnly.bytes).toHaveLength(0);
  });

  test.each(Object.keys(KINDS) as Kind[])('of a %s has the bytes that were stored', async kind => {
    const given = await KINDS[kind]();
    expect((await get(given)).bytes.equals(given.pdf)).toBe(true);
  });

  test('finds its document whatever the case of letters in type and id', async () => {
    const { account, statement, caller, pdf } = await gateway.given.statement();
    for (const path of [`statements/${statement}`, `STATEMENTS/${statement.toUpperCase()}`]) {
      expect((await gateway.as(caller).rest.get(`/accounts/${account}/${path}`)).bytes.equals(pdf)).toBe(true);
    }
  });

  test('from the path that GraphQL gives is the document, in an account with any characters', async () => {
    const of = await gateway.given.account({ accountId: `a/b?#%${randomUUID().slice(0, 8)}` });
    const given = await gateway.given.statement({ of });
    const { data } = await gateway
      .as(of.caller)
      .graphql(`query ($a: ID!) { account(accountId: $a) { statements { nodes { downloadPath } } } }`, {
        a: of.account,
      });
    const [{ downloadPath }] = data.account.statements.nodes;
    expect((await gateway.as(of.caller).rest.get(downloadPath)).bytes.equals(given.pdf)).toBe(true);
  });
});

describe('for Accept', () => {
  const pdf = 'application/pdf';
  const chosen: readonly [Kind, accept: string, type: string | null][] = [
    ['statement', '*/*', pdf],
    ['statement', '', pdf],
    ['statement', 'application/*', pdf],
    ['statement', 'APPLICATION/JSON', JSON_TYPE],
    ['statement', 'application/json; charset=utf-8', JSON_TYPE],
    ['statement', 'text/*', CSV_TYPE],
    ['statement', 'text/csv;charset=utf-8', CSV_TYPE],
    ['statement', 'text/html, */*;q=0.1', pdf],
    ['statement', 'application/pdf;q=0.5, application/json;q=0.9', JSON_TYPE],
    ['statement', 'application/json;q=0.5, application/pdf', pdf],
    ['statement', 'application/json, text/csv', JSON_TYPE],
    ['statement', '*/*, application/pdf;q=0', JSON_TYPE],
    ['statement', 'image/png', null],
    ['statement', 'application/pdf;q=0', null],
    ['statement', 'application/json;version=2', null],
    ['statement', 'application/x-camt.053+xml', 'application/x-camt.053+xml; charset=utf-8'],
    ['statement', 'application/x-ofx', 'application/x-ofx; version=2.2; charset=utf-8'],
    ['statement', 'application/x-ofx;version=1.0.2', 'application/x-ofx; version=1.0.2; charset=windows-1252'],
    ['statement', 'application/x-ofx;version=3', null],
    ['statement', 'application/x-bai2', 'application/x-bai2; charset=us-ascii'],
    // What browsers send for a link.
    ['statement', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', pdf],
    ['tax form', 'application/x-camt.053+xml', null],
    ['statement', 'nonsense', null],
    ['tax form', 'application/json', JSON_TYPE],
    ['tax form', 'text/csv', null],
    ['tax form', 'text/csv, */*;q=0.1', pdf],
    ["partner's statement", 'application/pdf', pdf],
    ["partner's statement", 'application/json', null],
    ["partner's statement", 'text/csv', null],
  ];
  test.each(chosen)('of a %s: %j gives %s', async (kind, accept, type) => {
    const { status, headers, body, text } = await get(await KINDS[kind](), { accept });
    expect(headers.vary).toBe('Accept');
    if (type) expect([status, headers['content-type']]).toEqual([200, type]);
    else {
      expect([status, headers['content-type']]).toEqual([406, 'application/problem+json; charset=utf-8']);
      expect([body.code, body.status]).toEqual(['not_acceptable', 406]);
      expect(text).not.toContain(accept);
    }
  });
});

describe('there is no document', () => {
  /** The path and the caller of a document, changed so that there is none. */
  const elsewhere: readonly [string, (given: GivenStatement) => Promise<[path: string, caller: string]>][] = [
    ['of another type', async ({ account, statement, caller }) => [`/accounts/${account}/1099/${statement}`, caller]],
    [
      'of another account of the program',
      async ({ program, statement, caller }) => {
        const { account } = await gateway.given.account({ program });
        return [`/accounts/${account}/Statements/${statement}`, caller];
      },
    ],
    [
      "of an account whose document is another program's",
      async ({ account, caller }) => {
        const { statement } = await gateway.given.statement();
        return [`/accounts/${account}/Statements/${statement}`, caller];
      },
    ],
    [
      'of an id that nobody has',
      async ({ account, caller }) => [`/accounts/${account}/Statements/${randomUUID()}`, caller],
    ],
    ['of an id that is none', async ({ account, caller }) => [`/accounts/${account}/Statements/x`, caller]],
    ['of an id with more behind it', async ({ path, caller }) => [`${path}x`, caller]],
    ['of an id with a NUL', async ({ path, caller }) => [`${path.slice(0, -1)}%00`, caller]],
    ['of an id like a path', async ({ account, caller }) => [`/accounts/${account}/Statements/..%2F..`, caller]],
  ];
  test.each(elsewhere)('%s', async (_which, change) => {
    const [path, caller] = await change(await gateway.given.statement());
    const { status, body } = await gateway.as(caller).rest.get(path);
    expect([status, body.code]).toEqual([404, 'statement_not_found']);
    expect((await gateway.as(caller).raw({ method: 'HEAD', path })).status).toBe(404);
  });

  test('of a tax form where statements are, and the other way round', async () => {
    const given = await gateway.given.statement({ documentType: 'TAX_1099' });
    const { status, body } = await gateway
      .as(given.caller)
      .rest.get(`/accounts/${given.account}/Statements/${given.statement}`);
    expect([status, body.code]).toEqual([404, 'statement_not_found']);
    expect((await get(given)).status).toBe(200);
  });

  test('in an account that the caller does not see', async () => {
    const given = await gateway.given.statement();
    const { customer } = await gateway.given.customer({ program: given.program });
    const strangers = [
      await gateway.caller({ program: gateway.given.program() }),
      await gateway.caller({ program: given.program, customerId: customer }),
      await gateway.caller({ program: gateway.given.program(), customerId: given.owners[0] as string }),
    ];
    for (const caller of strangers) {
      for (const path of [given.path, `/accounts/${given.account}/statements`]) {
        const { status, body } = await gateway.as(caller).rest.get(path);
        expect([status, body.code]).toEqual([404, 'account_not_found']);
      }
    }
    const nowhere = await gateway.as(given.caller).rest.get(`/accounts/${unique('acc')}/1099/${given.statement}`);
    expect([nowhere.status, nowhere.body.code]).toEqual([404, 'account_not_found']);
    // Its owner sees it, by a token of her own.
    const owner = await gateway.caller({ program: given.program, customerId: given.owners[0] as string });
    expect((await get({ ...given, caller: owner })).bytes.equals(given.pdf)).toBe(true);
  });
});

test('a download needs the scope statements.read, and takes no query but that for its format', async () => {
  const given = await gateway.given.statement();
  const scopes = ['accounts.read', 'operations', 'transactions.read'] as const;
  const blind = await get({ ...given, caller: await gateway.caller({ program: given.program, scopes }) });
  expect([blind.status, blind.body.code]).toEqual([403, 'insufficient_scope']);
  const asked = await get({ ...given, path: `${given.path}?colour=red` });
  expect([asked.status, asked.body.errors[0].code]).toEqual([400, 'unknown_parameter']);
});

test('a download swallows no other address of two segments, and what is none is 404 as ever', async () => {
  const { account, beneficiary, caller } = await gateway.given.beneficiary();
  const me = gateway.as(caller);
  const seen = await me.rest.get(`/accounts/${account}/beneficiaries/${beneficiary}`);
  expect([seen.status, seen.body.beneficiaryId]).toEqual([200, beneficiary]);
  expect((await me.rest.delete(`/accounts/${account}/beneficiaries/${beneficiary}`)).status).toBe(200);
  expect((await me.rest.post(`/accounts/${account}/owners/add`, { holders: [] })).status).toBe(422);
  for (const words of ['beneficiaries', 'transactions', 'owners', '1098', 'Statement', 'constructor', '%00', '1099x']) {
    const { status, body } = await me.rest.get(`/accounts/${account}/${words}/${randomUUID()}`);
    const code = words === 'beneficiaries' ? 'beneficiary_not_found' : 'route_not_found';
    expect([words, status, body.code]).toEqual([words, 404, code]);
  }
  const given = await gateway.given.statement();
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    const { status, body } = await gateway.as(given.caller).raw({ method, path: given.path });
    expect([status, body.code]).toEqual([405, 'method_not_allowed']);
  }
  expect((await gateway.as(given.caller).rest.get(`${given.path}/x`)).body.code).toBe('route_not_found');
});

test('of what is stored of a document no word can be read', async () => {
  const words = `Words of Marisol ${randomUUID()}`;
  const content = { owners: [words], issuer: { name: words, addressLines: [words], telephone: words } };
  const given = await gateway.given.statement({ pdf: Buffer.from(words), content });
  const { rows } = await gateway.sql.query('SELECT * FROM statement WHERE statement_id = $1', [given.statement]);
  const stored = Object.values(rows[0] as object).map(value =>
    Buffer.isBuffer(value) ? value.toString('latin1') : value,
  );
  expect(JSON.stringify(stored)).not.toMatch(/Words|Marisol|4242|Wages/);
  expect((await get(given)).text).toBe(words);
  expect((await get(given, { accept: 'application/json' })).body.owners).toEqual([words]);
});

test('a document that was changed where it is stored is not given out', async () => {
  const [given, other] = [await gateway.given.statement(), await gateway.given.statement()];
  const { rows } = await gateway.sql.query('SELECT sealed_key FROM statement WHERE statement_id = $1', [
    other.statement,
  ]);
  await gateway.sql.query('UPDATE statement SET sealed_key = $1 WHERE statement_id = $2', [
    rows[0].sealed_key,
    given.statement,
  ]);
  const { status, headers, body } = await get(given);
  expect([status, body.code, headers.etag]).toEqual([500, 'internal_error', undefined]);
});
