import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { about, downloads } from './support/download.js';

let gateway: TestGateway;
let { get, head } = {} as ReturnType<typeof downloads>;
beforeAll(async () => {
  gateway = await startTestGateway();
  ({ get, head } = downloads(gateway));
});
afterAll(() => gateway.stop());

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

describe('a condition', () => {
  const TAG = 'TAG';
  const holds: readonly [name: string, value: string, status: number][] = [
    ['if-none-match', TAG, 304],
    ['if-none-match', `W/${TAG}`, 304],
    ['if-none-match', '*', 304],
    ['if-none-match', `"a", W/"b,c",${TAG} , "d"`, 304],
    ['if-none-match', '"a"', 200],
    ['if-none-match', '""', 200],
    ['if-none-match', 'a', 200],
    ['if-none-match', '', 200],
    ['if-match', TAG, 200],
    ['if-match', '*', 200],
    ['if-match', `"a", ${TAG}`, 200],
    ['if-match', `W/${TAG}`, 412],
    ['if-match', '"a"', 412],
    ['if-match', '', 412],
  ];
  test.each(holds)('%s: %s is %d, by GET and by HEAD, in each form', async (name, value, status) => {
    const given = await gateway.given.statement();
    for (const accept of ['application/pdf', 'application/json', 'text/csv']) {
      const whole = await get(given, { accept });
      const headers = { accept, [name]: value.replace(TAG, whole.headers.etag as string) };
      for (const answer of [await get(given, headers), await head(given, headers)]) {
        expect(answer.status).toBe(status);
        if (status === 304) {
          const { etag, vary } = whole.headers;
          expect(about(answer)).toEqual([304, { etag, vary, 'cache-control': 'private, no-store' }]);
          expect(answer.bytes).toHaveLength(0);
        }
      }
      const { body } = await get(given, headers);
      if (status === 412) expect(body.code).toBe('precondition_failed');
    }
  });

  test('on one form says nothing of another', async () => {
    const given = await gateway.given.statement();
    const { etag } = (await get(given, { accept: 'text/csv' })).headers;
    expect((await get(given, { 'if-none-match': etag as string })).status).toBe(200);
  });

  test('on a document that the caller does not see is 404', async () => {
    const given = await gateway.given.statement();
    const stranger = await gateway.caller({ program: gateway.given.program() });
    expect((await get({ ...given, caller: stranger }, { 'if-none-match': '*' })).status).toBe(404);
  });
});

describe('of two hundred bytes', () => {
  const bytes = Buffer.from(Array.from({ length: 200 }, (_, index) => (index * 7) % 256));
  const ranges: readonly [range: string, first: number, last: number][] = [
    ['bytes=0-0', 0, 0],
    ['bytes=0-99', 0, 99],
    ['bytes=100-', 100, 199],
    ['bytes=199-199', 199, 199],
    ['bytes=190-1000', 190, 199],
    ['bytes=0-99999999999999999999', 0, 199],
    ['bytes=-1', 199, 199],
    ['bytes=-200', 0, 199],
    ['bytes=-1000', 0, 199],
    ['BYTES=5-6', 5, 6],
    ['  bytes=5-6  ', 5, 6],
  ];
  test.each(ranges)('%s gives %d to %d', async (range, first, last) => {
    const answer = await get(await gateway.given.statement({ pdf: bytes }), { range });
    expect(answer.status).toBe(206);
    expect(answer.headers).toMatchObject({
      'content-range': `bytes ${first}-${last}/200`,
      'content-length': String(last - first + 1),
      'content-type': 'application/pdf',
      etag: `"${sha256(bytes)}"`,
      'cache-control': 'private, no-store',
    });
    expect(answer.bytes.equals(bytes.subarray(first, last + 1))).toBe(true);
  });

  test.each(['bytes=200-', 'bytes=200-300', 'bytes=99999999999999999999-', 'bytes=-0'])(
    '%s is 416, and says how many there are',
    async range => {
      const { status, headers, body } = await get(await gateway.given.statement({ pdf: bytes }), { range });
      expect([status, headers['content-range'], body.code]).toEqual([416, 'bytes */200', 'range_not_satisfiable']);
      expect(headers['content-type']).toBe('application/problem+json; charset=utf-8');
    },
  );

  test.each([
    'bytes=0-1,5-6',
    'bytes=0-1, 300-',
    'bytes=6-5',
    'bytes=-',
    'bytes=',
    'bytes',
    'bytes=a-b',
    'bytes=0x0-5',
    'bytes=1-2-3',
    'bytes=--1',
    'bytes= 0-1',
    'items=0-1',
    '0-1',
  ])('%s gives all of them', async range => {
    const answer = await get(await gateway.given.statement({ pdf: bytes }), { range });
    expect([answer.status, answer.headers['content-range']]).toEqual([200, undefined]);
    expect(answer.bytes.equals(bytes)).toBe(true);
  });

  test('a range is of the document that If-Range names, or there is none', async () => {
    const given = await gateway.given.statement({ pdf: bytes });
    const tag = `"${sha256(bytes)}"`;
    const range = 'bytes=0-9';
    const asked = async (ifRange: string) => (await get(given, { range, 'if-range': ifRange })).bytes.length;
    expect(await asked(tag)).toBe(10);
    for (const other of [`W/${tag}`, '"x"', '*', 'Wed, 01 Jul 2026 00:00:00 GMT', '']) {
      expect(await asked(other)).toBe(200);
    }
  });

  test('a range is for GET alone, and comes after the conditions', async () => {
    const given = await gateway.given.statement({ pdf: bytes });
    const { status, headers } = await head(given, { range: 'bytes=0-9' });
    expect([status, headers['content-length']]).toEqual([200, '200']);
    expect((await head(given, { range: 'bytes=500-' })).status).toBe(200);
    expect((await get(given, { range: 'bytes=0-9', 'if-none-match': '*' })).status).toBe(304);
    expect((await get(given, { range: 'bytes=500-', 'if-none-match': '*' })).status).toBe(304);
  });
});
