import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { tillgate } from '../../cli/command-line.js';
import { freshDatabase, type FreshDatabase } from '../../support/postgres.js';

let database: FreshDatabase;
let dataDir: string;
beforeAll(async () => {
  database = await freshDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'tillgate-untraced-'));
});
afterAll(async () => {
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

/**
 * Tells on standard error what of OpenTelemetry is loaded, but for the interfaces, which the package for metrics has
 * use for.
 */
const TELL = `import { registerHooks } from 'node:module';
registerHooks({ load(url, context, next) {
  if (/@opentelemetry\\/(?!api\\/)/.test(url)) process.stderr.write(url + '\\n');
  return next(url, context);
} });`;

async function loaded(settings: Record<string, string>): Promise<string> {
  const { child, printed, ended } = tillgate(['serve'], {
    PORT: '0',
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    DEMO_DATA: 'false',
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(TELL)}`,
    ...settings,
  });
  const [url = ''] = /^http\S+$/m.exec(await printed(/^http\S+$/m)) ?? [];
  await fetch(`${url}/livez`);
  child.kill('SIGTERM');
  const { status, stderr } = await ended;
  expect(status).toBe(0);
  return stderr;
}

test('without a collector nothing of OpenTelemetry is loaded', async () => {
  expect(await loaded({})).toBe('');
  expect(await loaded({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' })).toContain('@opentelemetry/sdk-trace');
});
