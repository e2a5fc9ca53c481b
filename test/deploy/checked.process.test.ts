import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { ROOT } from '../docs/fences.js';
import { testUnless, unlessInstalled } from '../support/unless.js';

/** Of 100, as `systemd-analyze security` counts; a unit without any protection has 96. */
const MAX_EXPOSURE = 20;

function testWith(program: string, name: string, run: () => Promise<void>): void {
  const found = spawnSync('which', [program], { encoding: 'utf8' }).stdout;
  testUnless(unlessInstalled(program, found))(name, run);
}

/** Status and what was said, where it did not end well. */
function complaintsOf(program: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: join(ROOT, 'deploy'), encoding: 'utf8' });
  return status === 0 ? '' : `${status}: ${stdout}${stderr}`;
}

testWith('promtool', 'Prometheus takes the alert rules, and they fire when they should and not before', async () => {
  expect(complaintsOf('promtool', ['check', 'rules', 'prometheus-rules.yml'])).toBe('');
  expect(complaintsOf('promtool', ['test', 'rules', 'prometheus-rules.test.yml'])).toBe('');
});

test('each alert is made to fire in the tests of the rules', async () => {
  const read = async (file: string): Promise<string> => readFile(join(ROOT, 'deploy', file), 'utf8');
  const { groups } = parse(await read('prometheus-rules.yml')) as { groups: { rules: { alert: string }[] }[] };
  const alerts = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));
  expect(alerts.length).toBeGreaterThan(10);
  const fired = [...(await read('prometheus-rules.test.yml')).matchAll(/alertname="(\w+)"/g)].map(([, name]) => name);
  expect(new Set(fired)).toEqual(new Set(alerts));
});

testWith('systemd-analyze', 'systemd takes the unit, which gives the gateway few rights', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tillgate-unit-'));
  const unit = await readFile(join(ROOT, 'deploy/tillgate.service'), 'utf8');
  const file = join(folder, 'tillgate.service');
  // Where Node.js is differs from machine to machine.
  await writeFile(file, unit.replace('/usr/bin/node', process.execPath));
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' });
  // It complains of units of this machine as well.
  expect([status, stderr.split('\n').filter(line => line.includes('tillgate'))]).toEqual([0, []]);
  expect(complaintsOf('systemd-analyze', ['security', '--offline=true', `--threshold=${MAX_EXPOSURE}`, file])).toBe('');
  await rm(folder, { recursive: true });
});
