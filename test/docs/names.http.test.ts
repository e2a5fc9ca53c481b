import { glob, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestGateway } from '../support/gateway.js';
import { servedBy } from '../support/served.js';
import { ROOT, pages } from './fences.js';

/** Names of other people's software, and of what a page says does not exist yet. */
const FOREIGN: ReadonlySet<string> = new Set([
  // Credentials of key services.
  'AWS_PROFILE',
  'VAULT_TOKEN',
  // Node.js, and claims of OpenID Connect.
  'NODE_EXTRA_CA_CERTS',
  'auth_time',
  // PostgreSQL and its tools.
  'archive_command',
  'archive_timeout',
  'default_transaction_read_only',
  'hot_standby_feedback',
  'log_parameter_max_length',
  'log_parameter_max_length_on_error',
  'log_statement',
  'max_prepared_transactions',
  'max_standby_streaming_delay',
  'output_plugin_libraries',
  'pg_dump',
  'pg_read_all_stats',
  'pg_switch_wal',
  'pg_upgrade',
  'synchronous_standby_names',
  // Citus.
  'alter_distributed_table',
  'block_writes',
  'citus_add_node',
  'citus_create_restore_point',
  'citus_drain_node',
  'citus_move_shard_placement',
  'citus_rebalance_start',
  'citus_remove_node',
  'citus_split_shard_by_split_points',
  'citus_update_node',
  'citus.recover_2pc_interval',
  'force_logical',
  'isolate_tenant_to_new_shard',
  'rebalance_table_shards',
  'shard_count',
  // Apollo Kotlin and Apollo iOS.
  'extra.graphqls',
  'schema.graphqls',
  // Apollo Server.
  'willResolveField',
  // PgBouncer, identity providers.
  'cl_waiting',
  'total_server_parse_count',
  'jwks_uri',
  'requestedAccessTokenVersion',
  'extn.customer_id',
  // Files of an example, and tables of a design that docs/scale.md weighs.
  'bank.pem',
  'archived_seq',
  'transaction_archive',
]);
const SOURCES = [
  ...['src', 'lib', 'packages/*/src', 'migrations', 'examples', 'bench', 'test/conformance', '.ci'].map(
    folder => `${folder}/**/*.{ts,tsx,js,mjs,json,graphql}`,
  ),
  'deploy/**/*',
  'schema*.graphql',
  'package.json',
  '.env.example',
  'docker-compose.yml',
  'Dockerfile',
];
/** What somebody adds, so the sources need not have it. */
const DIFF = /^```diff\n[\s\S]*?^```$/gm;
/** Names as code has them: `snake_case`, `SCREAMING_CASE`, `camelCase`, `noun.verb`. */
const NAME = /^(?:[a-z]+(?:_[a-z0-9]+)+|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[a-z]+(?:[A-Z][a-z0-9]+)+|[a-z_]+\.[a-z_]+)$/;

const gateway = await startTestGateway();
afterAll(() => gateway.stop());

const words = new Set<string>();
const literals = new Set<string>();
beforeAll(async () => {
  for await (const file of glob(SOURCES, { cwd: ROOT, exclude: path => path.includes('node_modules') })) {
    const source = await readFile(join(ROOT, file), 'utf8').catch(() => '');
    for (const [word] of source.matchAll(/[A-Za-z_]\w*/g)) words.add(word);
    for (const [, name = ''] of source.matchAll(/['"`]([a-z_]+\.[a-z_]+)['"`]/g)) literals.add(name);
  }
  // Tools of agents have the names of their files.
  const tools = glob('packages/agents/mcp/**/*.graphql', { cwd: ROOT });
  for await (const file of tools) words.add(basename(file, '.graphql'));
});

async function namesOn(page: string, pattern: RegExp): Promise<string[]> {
  const text = await readFile(join(ROOT, page), 'utf8');
  return [...new Set([...text.replaceAll(DIFF, '').matchAll(pattern)].map(([, name = '']) => name))];
}

test('every name in the text of a page is one that the sources have', async () => {
  const unknown: string[] = [];
  let seen = 0;
  for (const page of await pages()) {
    const names = (await namesOn(page, /`([^`\n]+)`/g)).filter(name => NAME.test(name));
    seen += names.length;
    const isKnown = (name: string) => FOREIGN.has(name) || name.split('.').every(part => words.has(part));
    unknown.push(...names.filter(name => !isKnown(name)).map(name => `${page}: ${name}`));
  }
  expect(seen).toBeGreaterThan(500);
  expect(unknown).toEqual([]);
});

test('every type of events on a page, in its samples as well, is one that there is', async () => {
  const events = await servedBy(gateway).events();
  const nouns = [...new Set(events.map(({ type }) => type.split('.')[0]))];
  const known = new Set([...events.flatMap(({ type, action }) => [type, action]), ...literals]);
  const unknown: string[] = [];
  let seen = 0;
  for (const page of await pages()) {
    const names = await namesOn(
      page,
      new RegExp(String.raw`["'\x60=,]((?:${nouns.join('|')})\.[a-z_]+)["'\x60,&]`, 'g'),
    );
    seen += names.length;
    unknown.push(...names.filter(name => !known.has(name)).map(name => `${page}: ${name}`));
  }
  expect(seen).toBeGreaterThan(30);
  expect(unknown).toEqual([]);
});
