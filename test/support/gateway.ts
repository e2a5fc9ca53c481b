import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../src/app/config.js';
import { RemoteInside, ask } from './gateway-process/client.js';
import { directUrlOf, freshDatabase } from './postgres.js';
import { TestGateway, unique } from './test-gateway.js';

export * from './test-gateway.js';

/**
 * A gateway as production starts it, in a process beside the one of the test. Without settings of its own it is the one
 * of this worker of Jest, which other files use before and after: its database has what they wrote, in programs of
 * theirs. With settings it is the file's alone, on a database of its own unless one is given. `options` is the path of
 * a test in the repository: the function `options` of its `.inside.ts` gives the plugins or nouns.
 */
export async function startTestGateway(
  changes?: Partial<Config>,
  databaseUrl: (url: string) => string | Promise<string> = url => url,
  options?: string,
): Promise<TestGateway> {
  if (!changes) return sharedGateway();
  const database = changes.databaseUrl
    ? { url: changes.databaseUrl, drop: async () => undefined }
    : await freshDatabase();
  const dataDir = changes.dataDir ?? (await mkdtemp(join(tmpdir(), 'tillgate-gateway-')));
  const url = await databaseUrl(database.url);
  const place = { databaseUrl: url, databaseDirectUrl: directUrlOf(database.url), dataDir };
  const tearDown = async () => {
    await database.drop();
    if (!changes.dataDir) await rm(dataDir, { recursive: true, force: true });
  };
  const hosted = await ask({ order: { place, changes, options: options && `${options}.inside` } }).catch(
    async (error: unknown) => {
      await tearDown();
      throw error;
    },
  );
  const end = async (inside: RemoteInside) => {
    await inside.call('stopGateway');
    await ask({ stop: hosted.id });
    await tearDown();
  };
  return new TestGateway(await RemoteInside.open(hosted, 'demo', end), database.url);
}

async function sharedGateway(): Promise<TestGateway> {
  const hosted = await ask();
  const inside = await RemoteInside.open(hosted, unique('program'), async () => undefined);
  inside.forgetLog();
  return new TestGateway(inside, hosted.databaseUrl);
}
