import { readFile, writeFile, mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openTls } from '../../../src/platform/http/listener.js';
import { startTestGateway, type TestGateway } from '../../support/gateway.js';

const certFile = fileURLToPath(new URL('localhost.cert.pem', import.meta.url));
const keyFile = fileURLToPath(new URL('localhost.key.pem', import.meta.url));

let gateway: TestGateway;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tillgate-tls-'));
  gateway = await startTestGateway({ tls: { certFile, keyFile } });
});
afterAll(async () => {
  await gateway.stop();
  await rm(folder, { recursive: true });
});

async function get(path: string): Promise<{ status: number | undefined; text: string }> {
  const ca = await readFile(certFile);
  return new Promise((resolve, reject) => {
    const asked = request(new URL(path, gateway.url), { ca, agent: false }, answer => {
      let text = '';
      answer.setEncoding('utf8').on('data', chunk => (text += chunk));
      answer.on('end', () => resolve({ status: answer.statusCode, text }));
    });
    asked.on('error', reject).end();
  });
}

test('the gateway serves with its certificate, and its address says so', async () => {
  expect(gateway.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  expect(await get('/readyz')).toEqual({ status: 200, text: '{"status":"ok"}' });
  expect((await get('/graphql?query=%7B__typename%7D')).status).toBe(401);
});

test('it speaks TLS 1.2 and 1.3, and nothing older', async () => {
  const { port } = new URL(gateway.url);
  const spoken = (maxVersion: 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3') =>
    new Promise<string | null>(resolve => {
      const socket = connect({
        port: Number(port),
        host: '127.0.0.1',
        rejectUnauthorized: false,
        minVersion: 'TLSv1',
        maxVersion,
        ciphers: 'DEFAULT@SECLEVEL=0',
      });
      socket.once('secureConnect', () => resolve(socket.getProtocol()));
      socket.once('error', () => resolve(null));
      socket.once('close', () => socket.destroy());
      socket.once('secureConnect', () => socket.end());
    });
  expect([await spoken('TLSv1.3'), await spoken('TLSv1.2'), await spoken('TLSv1.1')]).toEqual([
    'TLSv1.3',
    'TLSv1.2',
    null,
  ]);
});

test('plain HTTP gets no answer there', async () => {
  const answer = gateway.http.sendBytes('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n').catch(() => '');
  expect(await answer).not.toContain('HTTP/1.1 200');
});

test('a file that cannot be used is named by its setting, and nothing of it is told', async () => {
  const file = async (name: string, text: string) => {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  };
  const nonsense = await file('nonsense', 'hunter2');
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const otherKey = await file('other', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
  const refusals: [string, string, RegExp][] = [
    [join(folder, 'hunter2'), keyFile, /^The file in TLS_CERT cannot be read/],
    [certFile, join(folder, 'hunter2'), /^The file in TLS_KEY cannot be read/],
    [nonsense, keyFile, /^The file in TLS_CERT is not a certificate/],
    [certFile, nonsense, /^The file in TLS_KEY is not a private key/],
    [certFile, otherKey, /^The key in TLS_KEY does not belong to the certificate/],
  ];
  for (const [cert, key, message] of refusals) {
    const error = await openTls({ certFile: cert, keyFile: key }).catch((refused: unknown) => refused);
    expect(error).toBeInstanceOf(Error);
    expect((error as Error).message).toMatch(message);
    expect((error as Error).message).not.toContain('hunter2');
  }
});
