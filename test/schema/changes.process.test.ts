import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';

const CHECK = fileURLToPath(new URL('../../.ci/schema-changes.mjs', import.meta.url));
const NAMED = 'type Query { name: String, age: Int, old: Int @deprecated(reason: "Ask for age.") }\n';
const AGELESS = 'type Query { name: String, old: Int @deprecated(reason: "Ask for age.") }\n';
const REASON = 'Only the tests have ever asked for it.';

// A git hook that runs the tests says by its environment where its own repository is.
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')));

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tillgate-schema-'));
  await mkdir(join(folder, '.ci'));
  await accept({});
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function accept(reasons: unknown): Promise<void> {
  return writeFile(join(folder, '.ci/accepted-schema-changes.json'), JSON.stringify(reasons));
}

function write(schema: string): Promise<void> {
  return writeFile(join(folder, 'schema.graphql'), schema);
}

function git(...args: string[]): void {
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.test', '-c', 'init.defaultBranch=main'];
  const { status, stderr } = spawnSync('git', [...identity, ...args], { cwd: folder, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
}

async function commit(schema: string, ...args: string[]): Promise<void> {
  await write(schema);
  git('add', '.');
  git('commit', '--quiet', '--allow-empty', '-m', 'A change', ...args);
}

function check(): { status: number | null; stdout: string } {
  const { status, stdout } = spawnSync(process.execPath, [CHECK], { cwd: folder, env, encoding: 'utf8' });
  return { status, stdout };
}

test('what a client uses and loses is refused, with what breaks and what to do', async () => {
  git('init', '--quiet');
  await commit(NAMED);
  git('tag', 'v1.0.0');
  await write(AGELESS);
  const { status, stdout } = check();
  expect(status).toBe(1);
  expect(stdout).toContain(
    "BREAKS CLIENTS  FIELD_REMOVED Query.age: Field 'age' was removed from object type 'Query'.",
  );
  expect(stdout).toContain('mark it @deprecated');
  expect(stdout).toContain('  "FIELD_REMOVED Query.age": ""');
});

test('an accepted change passes and is shown with its reason, and alone', async () => {
  git('init', '--quiet');
  await commit(NAMED);
  git('tag', 'v1.0.0');
  await write('type Query { old: Int }\n');
  await accept({ 'FIELD_REMOVED Query.age': REASON });
  const { status, stdout } = check();
  expect(status).toBe(1);
  expect(stdout).toContain(`accepted        FIELD_REMOVED Query.age: ${REASON}`);
  expect(stdout).toMatch(/^BREAKS CLIENTS {2}FIELD_REMOVED Query\.name:/m);
  expect(stdout).not.toMatch(/BREAKS.*Query\.age/);
  await write(AGELESS);
  expect(check().status).toBe(0);
});

test.each([
  ['no reason', { 'FIELD_REMOVED Query.age': '' }],
  ['a list', ['FIELD_REMOVED Query.age']],
])('%s is no acceptance', async (_what, reasons) => {
  await write(NAMED);
  await accept(reasons);
  expect(check()).toMatchObject({ status: 1, stdout: expect.stringContaining('accepted-schema-changes.json') });
});

test('what may surprise a client is shown and not refused, an addition neither', async () => {
  git('init', '--quiet');
  await commit('enum Colour { RED } type Query { colour(dark: Boolean = true): Colour }\n');
  git('tag', 'v1.0.0');
  await write('enum Colour { RED BLUE } type Query { colour(dark: Boolean = false): Colour, size: Int }\n');
  const { status, stdout } = check();
  expect(status).toBe(0);
  expect(stdout).toMatch(/^take care {7}ENUM_VALUE_ADDED Colour\.BLUE/m);
  expect(stdout).toMatch(/^take care {7}FIELD_ARGUMENT_DEFAULT_CHANGED Query\.colour\.dark/m);
  expect(stdout).not.toContain('Query.size');
});

test('marking something as deprecated is nothing to take care of', async () => {
  git('init', '--quiet');
  await commit(NAMED);
  git('tag', 'v1.0.0');
  await write(NAMED.replace('age: Int,', 'age: Int @deprecated(reason: "Ask for name."),'));
  expect(check()).toEqual({ status: 0, stdout: expect.stringMatching(/^schema\.graphql: \d+ changes since .*\n$/) });
});

test('the last release counts, not what came since, and what it has shown as deprecated may go', async () => {
  git('init', '--quiet');
  await commit(NAMED);
  git('tag', 'v1.0.0');
  await commit(AGELESS);
  await commit(`${AGELESS}# the same\n`);
  expect(check()).toMatchObject({ status: 1, stdout: expect.stringContaining('release v1.0.0') });
  await write('type Query { name: String, age: Int }\n');
  expect(check()).toMatchObject({ status: 0, stdout: expect.stringMatching(/^take care .* Query\.old/m) });
});

test('what cannot be compared says so, and fails nobody', async () => {
  await write(NAMED);
  expect(check()).toEqual({ status: 0, stdout: expect.stringContaining('there is no git history here') });
  git('init', '--quiet');
  await commit(NAMED);
  await commit(AGELESS);
  expect(check()).toEqual({ status: 0, stdout: expect.stringContaining('nothing was released yet') });
  const clone = await mkdtemp(join(tmpdir(), 'tillgate-shallow-'));
  git('clone', '--quiet', '--depth', '1', `file://${folder}`, clone);
  await rm(folder, { recursive: true });
  folder = clone;
  expect(check()).toEqual({ status: 0, stdout: expect.stringContaining('git fetch --unshallow --tags') });
});

test('an acceptance that no change needs any more is told, so that it accepts no later one', async () => {
  git('init', '--quiet');
  await commit(NAMED);
  git('tag', 'v1.0.0');
  await commit(`${NAMED}# the same\n`);
  await accept({ 'FIELD_REMOVED Query.age': REASON });
  expect(check()).toMatchObject({ status: 0, stdout: expect.stringContaining('Delete it from') });
});
