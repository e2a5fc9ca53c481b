import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { ROOT } from '../docs/fences.js';

/** Of 100, as `systemd-analyze security` counts; a unit without any protection has 96. */
const MAX_EXPOSURE = 20;
// Where something is missing, it is skipped for all to see.
const skipped = test.skip;

function testWith(program: string, name: string, run: () => Promise<void>): void {
  const isThere = spawnSync('which', [program]).status === 0;
  (isThere ? test : skipped)(isThere ? name : `${name}: ${program} is not installed`, run);
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

testWith('systemd-analyze', 'systemd takes the unit, which gives the gateway few rights', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tillgate-unit-'));
  const unit = await readFile(join(ROOT, 'deploy/tillgate.service'), 'utf8');
  const file = join(folder, 'tillgate.service');
  // Where Node.js is differs from machine to machine.
  await writeFile(file, unit.replace('/usr/bin/node', process.execPath));
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  expect(complaintsOf('systemd-analyze', ['security', '--offline=true', `--threshold=${MAX_EXPOSURE}`, file])).toBe('');
  await rm(folder, { recursive: true });
});
