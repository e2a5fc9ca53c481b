import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestGateway, type Answer, type TestGateway } from '../../support/gateway.js';
import type { GivenAccount } from '../../support/given.js';

let gateway: TestGateway;
let given: GivenAccount;
beforeAll(async () => {
  gateway = await startTestGateway({ corsOrigins: ['https://app.bank.example'] });
  given = await gateway.given.account();
  await gateway.given.beneficiaries(given, 100);
});
afterAll(() => gateway.stop());

type CodedRequest = (accept: string | undefined) => Promise<Answer>;
const headersOf = (accept: string | undefined) => (accept === undefined ? {} : { 'accept-encoding': accept });
const rest: CodedRequest = accept =>
  gateway
    .as(given.caller)
    .raw({ path: `/accounts/${given.account}/beneficiaries?limit=100`, headers: headersOf(accept) });
const graphql: CodedRequest = accept =>
  gateway.as(given.caller).raw({
    method: 'POST',
    path: '/graphql',
    headers: {
      'content-type': 'application/json',
      ...headersOf(accept),
    },
    body: {
      query: `{ account(accountId: "${given.account}") { beneficiaries(first: 100) { nodes { beneficiaryId name { first last } taxId relationship } } } }`,
    },
  });

const APIS: [string, CodedRequest][] = [
  ['REST', rest],
  ['GraphQL', graphql],
];
const UNPACK: Record<string, (bytes: Buffer) => Buffer> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};

test.each(APIS)(
  'a large answer of %s comes in the coding that its client likes best, and says the same',
  async (_door, ask) => {
    const plain = await ask(undefined);
    expect([plain.status, plain.headers['content-encoding']]).toEqual([200, undefined]);
    expect(plain.bytes.length).toBeGreaterThan(8 * 1024);
    for (const [accept, coding] of [
      ['gzip, deflate, br, zstd', 'zstd'],
      ['gzip, deflate, br', 'br'],
      ['zstd;q=0.5, br;q=0.5, gzip', 'gzip'],
      ['zstd;q=0, *', 'br'],
      ['br;q=1, gzip;q=0.5', 'br'],
      ['gzip;q=0, br', 'br'],
      ['deflate, gzip;q=0.2', 'gzip'],
    ] as const) {
      const { bytes, headers } = await ask(accept);
      expect([headers['content-encoding'], headers.vary]).toEqual([
        coding,
        expect.stringMatching(/origin.*accept-encoding/i),
      ]);
      expect(Number(headers['content-length'])).toBe(bytes.length);
      expect(bytes.length).toBeLessThan(plain.bytes.length / 3);
      expect(UNPACK[coding]?.(bytes).toString()).toBe(plain.text);
    }
  },
);

test.each(APIS)('a client of %s who takes no coding gets none, and is told that others might', async (_door, ask) => {
  for (const accept of [undefined, '', 'identity', 'deflate', 'gzip;q=0, br;q=0', 'x'.repeat(4000)]) {
    const { status, headers } = await ask(accept);
    expect([status, headers['content-encoding'], headers.vary]).toEqual([
      200,
      undefined,
      expect.stringMatching(/origin.*accept-encoding/i),
    ]);
  }
});

test('a small answer goes as it is', async () => {
  const { headers } = await gateway
    .as(given.caller)
    .rest.get(`/accounts/${given.account}/beneficiaries?limit=1`, { 'accept-encoding': 'gzip' });
  expect([headers['content-encoding'], headers.vary]).toEqual([undefined, 'Origin']);
});
