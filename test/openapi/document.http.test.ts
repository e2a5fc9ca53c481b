import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../support/gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ cardsPrefix: 'plastic' });
});
afterAll(() => gateway.stop());

test('the document is there for everybody, and tells the card path of this gateway', async () => {
  const { status, headers, body } = await gateway.as(null).rest.get('/openapi.json');
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  expect(body.openapi).toMatch(/^3\.1\./);
  expect(Object.keys(body.paths)).toEqual(expect.arrayContaining(['/plastic/v1/cards', '/oauth/token', '/metrics']));
});

test('its patterns are for readers without the mode of Unicode as well', async () => {
  const { body } = await gateway.as(null).rest.get('/openapi.json');
  const patterns = new Set<string>();
  JSON.stringify(body, (key, value: unknown) => {
    if (key === 'pattern' && typeof value === 'string') patterns.add(value);
    return value;
  });
  expect(patterns.size).toBeGreaterThan(10);
  for (const pattern of patterns) {
    expect(() => [new RegExp(pattern), new RegExp(pattern, 'u')]).not.toThrow();
    expect(pattern).not.toMatch(/\\[pP]\{|\\u\{/);
  }
});

test('a browser that has the document is told whether it is still the same', async () => {
  const first = await gateway.as(null).rest.get('/openapi.json');
  expect(first.headers['cache-control']).toBe('no-cache');
  const tag = String(first.headers.etag);
  const again = await gateway.as(null).rest.get('/openapi.json', { 'if-none-match': `W/"other", ${tag}` });
  expect([again.status, again.text, again.headers.etag]).toEqual([304, '', tag]);
  const other = await gateway.as(null).rest.get('/openapi.json', { 'if-none-match': '"other"' });
  expect(other.text).toBe(first.text);
});

test('the document comes compressed for whoever takes it so, and is the same', async () => {
  const { rest } = gateway.as(null);
  const whole = await rest.get('/openapi.json');
  for (const [coding, unpack] of [
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const) {
    const { headers, bytes } = await rest.get('/openapi.json', { 'accept-encoding': coding });
    expect([headers['content-encoding'], headers.vary]).toEqual([coding, 'Accept-Encoding']);
    expect(unpack(bytes).toString()).toBe(whole.text);
  }
});

test('what a gateway does not serve is not in its document', async () => {
  const issuer = {
    issuer: 'https://issuer.example',
    audience: 'tillgate',
    jwksUrl: 'https://issuer.example/jwks.json',
  };
  const bare = await startTestGateway({ auth: issuer, production: true });
  try {
    const { body } = await bare.as(null).rest.get('/openapi.json');
    expect(Object.keys(body.paths)).not.toContain('/oauth/token');
    expect(Object.keys(body.paths)).not.toContain('/metrics');
    expect(Object.keys(body.components.securitySchemes)).toEqual(['accessToken']);
  } finally {
    await bare.stop();
  }
});
