import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { keyed, startTestGateway, unique, type TestGateway } from '../support/gateway.js';
import type { GivenAccount } from '../support/given.js';
import { pdfOf } from '../support/statement.js';
import { ADD, BOTH, PDF, uploadsOf, type UploadApi, type UploadCalls, type Upload } from './support/uploads.js';

let gateway: TestGateway;
let client: UploadCalls;
let given: GivenAccount;
let before: Record<string, number>;
let logged: number;
beforeAll(async () => {
  gateway = await startTestGateway();
  client = uploadsOf(gateway);
});
afterAll(() => gateway.stop());

beforeEach(async () => {
  given = await gateway.given.account();
  before = await gateway.rows();
  logged = gateway.log.length;
});
// Whatever was sent: nothing is stored, nothing broke inside, and nothing of it is in the log.
afterEach(async () => {
  const {
    idempotency_key: _recorded,
    account: _account,
    account_owner: _owner,
    customer: _customer,
    ...stored
  } = before;
  expect(await gateway.rows()).toMatchObject(stored);
  const log = gateway.log.slice(logged);
  expect(log.filter(line => /"level":"(error|fatal)"/.test(line))).toEqual([]);
  expect(log.join('')).not.toMatch(/CANARY|Q0FOQVJZ/);
});

/** No text like this is anywhere but in what the tests send; in base64 it begins with Q0FOQVJZ. */
const CANARY = 'CANARY-4242-';
const DATE = '2026-01-31';
const good = () => pdfOf(CANARY);

async function refused(api: UploadApi, upload: Upload, to: { account: string; caller: string } = given) {
  const { status, code, errors, path, text } = await client[api](to, upload);
  expect([path, typeof code]).toEqual([undefined, 'string']);
  expect(text).not.toMatch(/CANARY|Q0FOQVJZ/);
  expect(JSON.stringify(errors ?? [])).not.toContain('%PDF');
  return { status, code, problems: errors?.map(problem => [problem.pointer, problem.code]) };
}

describe('a file is refused, over either API, that', () => {
  const files: Record<string, [file: () => Buffer, code: string]> = {
    'is a program with another name': [() => Buffer.from(`MZ\u0090\u0000${CANARY}`), 'not_pdf'],
    'is a web page': [() => Buffer.from(`<html><script>${CANARY}</script></html>`), 'not_pdf'],
    'is a PDF behind something else': [() => Buffer.concat([Buffer.from('\n'), good()]), 'not_pdf'],
    'is encrypted': [() => pdfOf(CANARY, 0, '/Encrypt << /Filter /Standard /V 2 /R 3 >>'), 'encrypted'],
    'is cut off': [() => good().subarray(0, 200), 'damaged'],
    'is empty': [() => Buffer.alloc(0), 'empty'],
  };
  test.each(Object.keys(files))('%s', async which => {
    const [file, code] = files[which] as [() => Buffer, string];
    for (const headers of [{}, keyed(unique('key'))]) {
      const upload = { statementDate: DATE, document: file(), headers };
      expect(await refused('REST', upload)).toEqual({ status: 422, code: 'rule_broken', problems: [['', code]] });
      const { status, ...rest } = await refused('GraphQL', upload);
      expect([status, rest]).toEqual([200, { code: 'rule_broken', problems: [['/input/statement/document', code]] }]);
    }
  });

  test('has one byte more than ten MiB', async () => {
    const document = Buffer.alloc(10 * 1024 * 1024 + 1, CANARY);
    expect(await refused('REST', { statementDate: DATE, document })).toMatchObject({ status: 413, code: 'too_large' });
    expect(await refused('GraphQL', { statementDate: DATE, document })).toMatchObject({ code: 'too_large' });
  });

  test('has eleven MiB, and that tells no length beforehand', async () => {
    const path = `/accounts/${given.account}/statements?statementDate=${DATE}`;
    const asking = { method: 'POST', path, headers: PDF, chunked: true };
    const { status, body } = await gateway
      .as(given.caller)
      .raw({ ...asking, body: Buffer.alloc(11 * 1024 * 1024, CANARY) });
    expect([status, body.code]).toEqual([413, 'too_large']);
  });

  test('makes a GraphQL body larger than fifteen MiB', async () => {
    const document = Buffer.alloc(12 * 1024 * 1024, CANARY);
    expect(await refused('GraphQL', { statementDate: DATE, document })).toMatchObject({
      status: 413,
      code: 'too_large',
    });
  });
});

test('only who may upload may send more than one MiB to GraphQL', async () => {
  const document = pdfOf(CANARY, 2 * 1024 * 1024);
  for (const order of [{ scopes: ['accounts.read', 'statements.read'] }, { customerId: given.owners[0] }] as const) {
    const caller = await gateway.caller({ program: given.program, ...order });
    const outcome = await refused('GraphQL', { statementDate: DATE, document }, { account: given.account, caller });
    expect(outcome).toMatchObject({ status: 413, code: 'too_large' });
  }
});

/** REST points to its query parameters, GraphQL from the arguments of the field. */
const at = (api: UploadApi, problems: [string, string][]): [string, string][] =>
  problems.map(([pointer, code]) => [api === 'GraphQL' ? `/input/statement${pointer}` : pointer, code]);

describe('details are refused alike over GraphQL and REST:', () => {
  const today = (timeZone: string) => new Date().toLocaleDateString('en-CA', { timeZone });
  const details: Record<string, [details: Partial<Upload>, status: 400 | 422, problems: [string, string][]]> = {
    'no date': [{ statementDate: undefined }, 400, [['/statementDate', 'required']]],
    'a day that no calendar has': [{ statementDate: '2026-02-30' }, 400, [['/statementDate', 'wrong_type']]],
    'a date of words': [{ statementDate: CANARY }, 400, [['/statementDate', 'wrong_type']]],
    'an instant for a date': [{ statementDate: '2026-01-31T00:00:00Z' }, 400, [['/statementDate', 'wrong_type']]],
    'a mistyped century': [{ statementDate: '0226-01-31' }, 422, [['/statementDate', 'format']]],
    'a date of the future': [{ statementDate: '2099-12-31' }, 422, [['/statementDate', 'not_future']]],
    'a description that shows nothing': [{ description: '\u200b' }, 422, [['/description', 'text']]],
    'a description of two lines': [{ description: `${CANARY}\n` }, 422, [['/description', 'text']]],
    'a description with a control character': [{ description: `\u001b[2J${CANARY}` }, 422, [['/description', 'text']]],
    'a description with a NUL': [{ description: `\u0000${CANARY}` }, 422, [['/description', 'text']]],
    'a description of 201 characters': [{ description: 'x'.repeat(201) }, 422, [['/description', 'text']]],
    'all at once': [
      { statementDate: '0226-01-31', description: '\u200b' },
      422,
      [
        ['/statementDate', 'format'],
        ['/description', 'text'],
      ],
    ],
  };
  test.each(Object.keys(details))('%s', async which => {
    const [wrong, status, problems] = details[which] as [Partial<Upload>, number, [string, string][]];
    const code = status === 400 ? 'invalid_input' : 'rule_broken';
    for (const api of BOTH) {
      const outcome = await refused(api, { statementDate: DATE, document: good(), ...wrong });
      expect(outcome).toEqual({
        status: api === 'GraphQL' && status === 422 ? 200 : status,
        code,
        problems: at(api, problems),
      });
    }
  });

  test('tomorrow on the clock of the account, which may be today elsewhere', async () => {
    const statementDate = today('Pacific/Kiritimati');
    const behind = await gateway.given.account({ timeZone: 'Pacific/Niue' });
    for (const api of BOTH) {
      expect((await refused(api, { statementDate, document: good() }, behind)).problems).toEqual(
        at(api, [['/statementDate', 'not_future']]),
      );
    }
    const ahead = await gateway.given.account({ timeZone: 'Pacific/Kiritimati' });
    const { path } = await client.REST(ahead, { statementDate, document: good() });
    expect(path).toBeDefined();
    before = await gateway.rows();
  });
});

describe('a REST upload is refused', () => {
  const post = (query: string, headers: Record<string, string>, body: Buffer | undefined = good()) =>
    gateway
      .as(given.caller)
      .raw({ method: 'POST', path: `/accounts/${given.account}/statements${query}`, headers, body });

  test.each([
    'application/octet-stream',
    'application/json',
    'text/plain',
    'application/pdfx',
    'multipart/form-data',
    '',
  ])('as %j', async type => {
    const { status, body } = await post(`?statementDate=${DATE}`, { 'content-type': type });
    expect([status, body.code]).toEqual([415, 'unsupported_media_type']);
  });

  test('without a type, and compressed', async () => {
    expect((await post(`?statementDate=${DATE}`, {})).status).toBe(415);
    const zipped = await post(`?statementDate=${DATE}`, { ...PDF, 'content-encoding': 'gzip' }, gzipSync(good()));
    expect(zipped.status).toBe(415);
  });

  test.each([
    ['&format=pdf', 'unknown_parameter'],
    [`&${CANARY}=1`, 'unknown_parameter'],
    ['&document=x', 'unknown_parameter'],
    ['&__proto__=x', 'unknown_parameter'],
    [`&statementDate=${DATE}`, 'repeated'],
    ['&description=a&description=b', 'repeated'],
  ])('with the query %s', async (query, code) => {
    const { status, body, text } = await post(`?statementDate=${DATE}${query}`, PDF);
    expect([status, body.errors.map((problem: { code: string }) => problem.code)]).toEqual([400, [code]]);
    expect(text).not.toContain(CANARY);
  });

  test('that ends before its length', async () => {
    const head = `POST /accounts/${given.account}/statements?statementDate=${DATE} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${given.caller}\r\nContent-Type: application/pdf\r\nContent-Length: 5000\r\n\r\n`;
    const answer = await gateway.http.sendBytes(`${head}%PDF-1.7 ${CANARY}`, { end: true });
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).not.toContain(CANARY);
  });
});

describe('GraphQL takes bytes in base64 and nothing like it:', () => {
  const whole = () => good().toString('base64').replaceAll('=', '');
  const texts: Record<string, () => unknown> = {
    words: () => CANARY,
    'line breaks': () => good().toString('base64').replace(/.{76}/g, '$&\r\n'),
    'the letters of URLs': () => Buffer.from([...Buffer.from('CANARY'), 0xfb, 0xff, 0xfe]).toString('base64url'),
    'no padding': () => Buffer.from('CANARY0').toString('base64').replace('==', ''),
    'too much padding': () => `${whole().slice(0, -(whole().length % 4) || undefined)}====`,
    'bits left over': () => `${Buffer.from('CANARY0').toString('base64').slice(0, -3)}B==`,
    'a blank': () => ` ${good().toString('base64')}`,
    'a data URL': () => `data:application/pdf;base64,${good().toString('base64')}`,
    'a list of bytes': () => [...good()],
    'an object': () => ({ type: 'Buffer', data: CANARY }),
    'a number': () => 4242,
    null: () => null,
  };
  test.each(Object.keys(texts))('%s', async which => {
    const document = texts[which]?.();
    const input = { statementDate: DATE, document };
    const { status, errors, text } = await gateway.as(given.caller).graphql(ADD, { account: given.account, input });
    const code = document === null ? 'required' : 'wrong_type';
    expect([status, errors?.[0].extensions.errors]).toEqual([
      400,
      [{ pointer: '/input/statement/document', code, detail: expect.any(String) }],
    ]);
    expect(text).not.toMatch(/CANARY|Q0FOQVJZ/);
  });

  test('words in the document itself', async () => {
    const { status, text } = await gateway
      .as(given.caller)
      .graphql(
        `mutation { addStatement(input: { accountId: "${given.account}", statement: { statementDate: "${DATE}", document: "${CANARY}" } }) { statement { sha256 } } }`,
      );
    expect(status).toBe(400);
    expect(text).not.toContain(CANARY);
  });
});

describe('who may not upload is refused over either API, whatever the file:', () => {
  const lacking = () =>
    gateway.caller({ program: given.program, scopes: 'accounts.read statements.read owners.write pii.read' });
  const owner = () => gateway.caller({ program: given.program, customerId: given.owners[0] as string });
  test.each([
    ['a caller without the scope', 'insufficient_scope', lacking],
    ['the owner, whose token has the scope for nothing', 'program_wide_only', owner],
  ])('%s', async (_who, code, signed) => {
    const caller = await signed();
    for (const document of [good(), Buffer.from(CANARY), Buffer.alloc(0)]) {
      for (const api of BOTH) {
        const outcome = await refused(api, { statementDate: DATE, document }, { account: given.account, caller });
        expect(outcome).toMatchObject({ status: 403, code });
      }
    }
    await gateway.recorded();
    const { rows } = await gateway.sql.query(
      `SELECT DISTINCT outcome, action FROM event WHERE account_id = $1 AND object IS NULL`,
      [given.account],
    );
    expect(rows).toEqual([{ outcome: 'DENIED', action: 'statement.add' }]);
  });

  test('before anything of a REST body is read', async () => {
    const caller = await lacking();
    const head = `POST /accounts/${given.account}/statements?x=${CANARY} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${caller}\r\nContent-Length: 999999999\r\n\r\n`;
    expect(await gateway.http.sendBytes(head)).toMatch(/^HTTP\/1\.1 403 /);
  });

  test('nobody whose account it is not', async () => {
    const foreign = await gateway.given.account();
    const to = { account: foreign.account, caller: given.caller };
    for (const api of BOTH) {
      for (const account of [foreign.account, unique('acc'), 'x'.repeat(65)]) {
        const outcome = await refused(api, { statementDate: DATE, document: good() }, { ...to, account });
        expect(outcome).toMatchObject({ status: api === 'REST' ? 404 : 200, code: 'account_not_found' });
      }
    }
  });
});

test('a rule that is broken by the clock of the account is not on record under its key, over GraphQL and REST', async () => {
  const of = await gateway.given.account();
  const upload = { statementDate: '2098-01-31', document: good(), headers: keyed(unique('key')) };
  const first = await client.REST(of, upload);
  const again = await client.GraphQL(of, upload);
  expect([first.code, first.replayed, again.code, again.replayed]).toEqual([
    'rule_broken',
    false,
    'rule_broken',
    false,
  ]);
});
