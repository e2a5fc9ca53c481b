import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { freshDatabase } from '../support/postgres.js';
import { tillgate } from './command-line.js';

/** Packages that take long to load, and that few commands need; and the driver, which each of these does. */
const TELL = `import { registerHooks } from 'node:module';
registerHooks({ load(url, context, next) {
  const [, name] = /node_modules\\/(@modelcontextprotocol\\/server|express|jose|piscina|graphile-worker|pg)\\//.exec(url) ?? [];
  if (name) process.stderr.write(name + '\\n');
  return next(url, context);
} });`;

test('a command does not load what draws documents, serves requests and runs jobs', async () => {
  const database = await freshDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'tillgate-loaded-'));
  try {
    const { status, stderr } = await tillgate(['programs', 'show'], {
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(TELL)}`,
    }).ended;
    expect(status).toBe(0);
    expect([...new Set(stderr.trim().split('\n'))].toSorted()).toEqual(['jose', 'pg']);
  } finally {
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  }
});
