import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freshDatabase, type FreshDatabase } from '../support/postgres.js';
import { runProcess, tillgate } from './command-line.js';

let database: FreshDatabase;
let folder: string;
let env: Record<string, string>;

beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tillgate-command-'));
  env = { DATABASE_URL: database.url, DATA_DIR: join(folder, 'data') };
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('tillgate serve', () => {
  test('prints its address, and stops on SIGTERM with status 0', async () => {
    const { child, ended, printed } = tillgate(['serve'], { ...env, PORT: '0' });
    const [url = ''] = /^http:\S+$/m.exec(await printed(/^http:\S+$/m)) ?? [];
    expect((await fetch(`${url}/livez`)).status).toBe(200);
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ status: 0, stderr: '' });
  });

  test('is what runs without a command', async () => {
    const { child, ended, printed } = tillgate([], { ...env, PORT: '0' });
    await printed(/^http:\S+$/m);
    child.kill('SIGINT');
    expect((await ended).status).toBe(0);
  });

  test('ends at once on a second signal, whatever still runs', async () => {
    const { child, ended, printed } = tillgate(['serve'], { ...env, PORT: '0' });
    const [url = ''] = /^http:\S+$/m.exec(await printed(/^http:\S+$/m)) ?? [];
    // A request that never comes to its end keeps the first stop waiting.
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(
      'POST /oauth/token HTTP/1.1\r\nhost: x\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: 100\r\nexpect: 100-continue\r\n\r\n',
    );
    const [begun] = await once(socket, 'data');
    expect(String(begun)).toMatch(/^HTTP\/1.1 100 /);
    child.kill('SIGTERM');
    await printed('"stopping"');
    // What comes at the same moment is an echo of the first (npm passes on what the terminal sends as well).
    child.kill('SIGTERM');
    const asked = performance.now();
    const insist = setInterval(() => child.kill('SIGTERM'), 100);
    expect((await ended).status).toBe(143);
    clearInterval(insist);
    expect(performance.now() - asked).toBeLessThan(5000);
    socket.destroy();
  });

  test('a port that is taken: a clear line, and status 1', async () => {
    const first = tillgate(['serve'], { ...env, PORT: '0' });
    const [url = ''] = /^http:\S+$/m.exec(await first.printed(/^http:\S+$/m)) ?? [];
    const { status, stderr } = await runProcess(['serve'], { ...env, PORT: new URL(url).port });
    first.child.kill('SIGTERM');
    await first.ended;
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/^Another process listens on PORT \(EADDRINUSE\)\. .*\n$/),
    ]);
  });
});
