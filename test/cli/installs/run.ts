/**
 * Installs Tillgate as its users do, and uses it on each Node.js that package.json allows; and starts it on one that is
 * too old:
 *
 * - the files that `npm pack` makes, of the gateway and of the client, in empty folders;
 * - what production installs (`npm ci --omit=dev --omit=optional`, and the compiled sources), against a PostgreSQL.
 *
 * It needs a package registry. DATABASE_URL names the server of the second; without it one is started.
 */
import 'reflect-metadata';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tryClient } from './client.js';
import { execute, installNode } from './installed.js';
import { tryFile } from './packed.js';
import { tryProduction, tryTooOld } from './production.js';

const { engines } = JSON.parse(await readFile('package.json', 'utf8')) as { engines: { node: string } };
const least = engines.node.replace('>=', '');
const folder = await mkdtemp(join(tmpdir(), 'tillgate-installs-'));
try {
  const nodes: string[] = [];
  for (const version of [least, '22', '24', '26']) {
    const node = await installNode(join(folder, `node-${version}`), version);
    const { stdout } = await execute(node, ['--version']);
    console.log(`Node.js ${version} is ${stdout.trim()}`);
    nodes.push(node);
  }
  const oldest = await installNode(join(folder, 'node-20'), '20');
  await tryFile(join(folder, 'packed'), nodes);
  await tryClient(join(folder, 'client'), nodes);
  await tryProduction(join(folder, 'production'), nodes);
  await tryTooOld(join(folder, 'production'), oldest, least);
} finally {
  await rm(folder, { recursive: true, force: true });
}
