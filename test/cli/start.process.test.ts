import { expect, test } from '@jest/globals';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProcess } from './command-line.js';

/** What Node runs before it runs the command line. */
function first(script: string): Record<string, string> {
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` };
}

const RUNS_AS = (version: string): Record<string, string> =>
  first(`Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });`);

const TELLS_PACKAGES = first(`
  import { registerHooks } from 'node:module';
  const loaded = new Set();
  registerHooks({ load: (url, context, next) => {
    loaded.add(/.*node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1]);
    return next(url, context);
  } });
  process.on('exit', () => process.stderr.write([...loaded].join(' ')));
`);

async function requiredNode(): Promise<string> {
  const { engines } = JSON.parse(await readFile('package.json', 'utf8')) as { engines: { node: string } };
  return engines.node.replace('>=', '');
}

test('an older Node.js is told in one line which one is needed, and nothing is done', async () => {
  const required = await requiredNode();
  for (const version of ['14.8.0', '20.20.2', '22.9.0', '22.17.1']) {
    expect(await runProcess(['--version'], RUNS_AS(version))).toEqual({
      status: 2,
      stdout: '',
      stderr: `Tillgate needs Node.js ${required} or newer, and this is ${version}. Install a newer Node.js, for example from https://nodejs.org.\n`,
    });
  }
});

test('that Node.js and newer ones are taken', async () => {
  for (const version of [await requiredNode(), '22.100.0', '24.0.0', '26.10.0']) {
    expect(await runProcess(['--version'], RUNS_AS(version))).toMatchObject({ status: 0, stderr: '' });
  }
});

test('a token is made, and help is shown, without the packages of a gateway or a database', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tillgate-start-'));
  try {
    for (const args of [['token', '--program', 'demo'], ['--help'], ['keys', 'generate']]) {
      const { status, stderr } = await runProcess(args, { ...TELLS_PACKAGES, DATA_DIR: folder });
      expect(status).toBe(0);
      const packages = stderr.split(' ');
      expect(packages).toContain('commander');
      for (const heavy of [
        '@apollo/server',
        '@mikro-orm/core',
        'express',
        'graphql',
        'pg',
        'pino',
        'fontkit',
        'type-graphql',
      ]) {
        expect(packages).not.toContain(heavy);
      }
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});
