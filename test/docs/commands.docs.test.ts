import { spawnSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { testUnless } from '../support/unless.js';
import { pages, ROOT, samplesOf, type Sample } from './fences.js';
import { difference } from './promised.js';
import { makeCopy, Workplace } from './workplace.js';

const TIMEOUT_MS = 600_000;
/** How a page that starts no gateway gets the one that it speaks of. */
const USUAL_START = 'npm start';
/** Servers such as PostgreSQL refuse to be root's. This is `nobody`. */
const NOT_ROOT = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

const all = await Promise.all((await pages()).map(async page => ({ page, samples: await samplesOf(page) })));

let copy: string;
beforeAll(async () => {
  copy = await makeCopy();
}, TIMEOUT_MS);
afterAll(async () => {
  await (await shared)?.close();
  await rm(copy, { recursive: true, force: true });
});

/** The gateway of all pages that need none of their own. The first of them starts it. */
let shared: Promise<Workplace> | undefined;
async function startShared(): Promise<Workplace> {
  const workplace = await Workplace.open(copy, {});
  await workplace.serve(USUAL_START);
  return workplace;
}

describe.each(all.filter(({ samples }) => samples.length > 0))('$page', ({ samples }) => {
  const needs = samples.flatMap(({ marks }) => marks.needs ?? []);
  const lacking = lackingOf(needs);
  const tryable = lacking ? [] : samples.filter(({ marks }) => marks.notRun === undefined);
  for (const { place, marks } of samples) {
    const reason = marks.notRun ?? lacking;
    if (reason) testUnless(reason)(`${place} does what it says`, () => undefined);
  }
  if (tryable.length === 0) return;

  let workplace: Workplace;
  beforeAll(async () => {
    const has = (mark: 'serves' | 'alone' | 'own') => samples.some(({ marks }) => marks[mark]);
    const startsItself = has('serves') || has('alone');
    workplace = await Workplace.open(copy, {
      env: { PGPORT: await freePort() },
      owner: needs.length > 0 ? NOT_ROOT : {},
      // A start without data takes longest, and the copy has had one.
      fresh: has('alone'),
      // What a reader types is run as it is on the pages that start by themselves.
      isQuick: !startsItself,
      beside: startsItself || has('own') ? null : await (shared ??= startShared()),
    });
    if (has('own')) await workplace.serve(USUAL_START);
  }, TIMEOUT_MS);
  afterAll(() => workplace.close());

  for (const sample of tryable) {
    test(
      `${sample.place} does what it says`,
      async () => expect(await tried(workplace, sample)).toBeNull(),
      TIMEOUT_MS,
    );
  }
});

/** Does what the sample says. Gives what is not as it promises. */
async function tried(workplace: Workplace, { language, text, answer, marks }: Sample): Promise<string | null> {
  if (language === 'graphql') return answer && difference(answer, await workplace.graphql(text));
  if (marks.serves) {
    await workplace.serve(text);
    return null;
  }
  const { status, stdout, stderr } = await workplace.run(text);
  if (status !== (marks.exit ?? 0)) return `It ended with ${status}.\n${stdout}${stderr}`;
  return answer && difference(answer, stdout);
}

/** Why what needs these programs cannot run here; null if it can. */
function lackingOf(programs: readonly string[]): string | null {
  if (programs.length === 0) return null;
  const missing = programs.find(program => spawnSync('bash', ['-c', `command -v ${program}`]).status !== 0);
  if (missing) return `${missing} is not installed`;
  const readable = spawnSync('test', ['-r', join(ROOT, 'node_modules/.bin/tsc')], NOT_ROOT).status === 0;
  return readable ? null : 'it must not be root who runs it, and nobody else can read this folder';
}

async function freePort(): Promise<string> {
  const server = createServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise(resolve => server.close(resolve));
  return String(port);
}
