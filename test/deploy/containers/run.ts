/**
 * Builds the image, and goes through both compositions in containers: docker-compose.yml with its data kept, killed and
 * in several processes; and deploy/docker-compose.production.yml from its secrets to a request over TLS and the first
 * alert. It prints the time of each step.
 *
 * It needs an engine with BuildKit, Compose 2 and the images that the files name. Without an engine it does nothing,
 * and says so.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run, type Composition } from './composition.js';
import { Development } from './development.js';
import { Production } from './production.js';

const IMAGE = 'tillgate:dev';
const NAME = `tillgate-${process.pid}`;

type Step = readonly [name: string, run: () => Promise<string>];

const missing = await missingTool();
if (missing === null) await goThrough();
else console.log(`Nothing was tried: ${missing}.`);

async function missingTool(): Promise<string | null> {
  for (const [tool, args] of [
    ['container engine that answers', ['info']],
    ['Compose 2', ['compose', 'version']],
  ] as const) {
    const isThere = await run('docker', args).then(
      () => true,
      () => false,
    );
    if (!isThere) return `there is no ${tool} here`;
  }
  return null;
}

async function goThrough(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tillgate-containers-'));
  // Containers of other users read the copy.
  await run('chmod', ['755', folder]);
  const development = await Development.at(`${NAME}-development`);
  const production = await Production.at(`${NAME}-production`, IMAGE, folder);
  try {
    await steps(development.composition, [
      ['image', buildImage],
      ['composition for development', () => development.start()],
      ['restarts', () => development.keepData()],
      ['kill', () => development.loseNothing()],
      ['two workers', () => development.serveInWorkers()],
    ]);
    await steps(production.composition, [
      ['secrets', () => production.makeSecrets()],
      ['database', () => production.makeDatabase()],
      ['program and records', () => production.applyAndImport()],
      ['gateway behind TLS', () => production.serveOverTls()],
      ['another address', () => production.moveGateway()],
      ['first alert', () => production.raiseAlert()],
    ]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Takes the steps of a composition, and takes it down whatever comes of them. */
async function steps(composition: Composition, each: readonly Step[]): Promise<void> {
  try {
    for (const [name, step] of each) {
      const began = performance.now();
      const said = await step();
      console.log(`ok: ${name} (${((performance.now() - began) / 1000).toFixed(1)} s): ${said}`);
    }
  } finally {
    await composition.down();
  }
}

/** With the network of this machine, since that of a builder may not reach the registry of packages. */
async function buildImage(): Promise<string> {
  await run('docker', ['build', '--network', 'host', '--tag', IMAGE, '.']);
  const bytes = Number(await run('docker', ['image', 'inspect', IMAGE, '--format', '{{.Size}}']));
  return `${Math.round(bytes / 1e6)} MB with its base`;
}
