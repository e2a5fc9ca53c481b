import { expect, test } from '@jest/globals';
import { readFile, readdir } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';

const FOLDER = 'dist/console';
const MAX_BYTES = 128_000;
const MAX_FIRST_BYTES = 80_000;
/** Fonts are packed already, and kept for a year. */
const MAX_FONT_BYTES = 30_000;
/** With the shell, the question who is signed in, and the first documents. */
const MAX_REQUESTS = 20;
const OWN_REQUESTS = 6;

const assets = async () => (await readdir(`${FOLDER}/assets`)).filter(name => /\.(js|css)$/.test(name));
const read = (name: string) => readFile(`${FOLDER}/assets/${name}`);

interface Page {
  readonly preload: readonly string[];
  readonly style: string;
  readonly font: string;
  readonly first: readonly (readonly string[])[];
}
const page = async () => JSON.parse(await readFile(`${FOLDER}/page.json`, 'utf8')) as Page;

async function bytesOf(names: readonly string[]): Promise<number> {
  const sizes = await Promise.all(names.map(async name => gzipSync(await read(name), { level: 9 }).length));
  return sizes.reduce((sum, size) => sum + size, 0);
}

test('all scripts and styles of the console stay below 128 kB of gzip', async () => {
  expect(await bytesOf(await assets())).toBeLessThan(MAX_BYTES);
});

test('the first screen, whichever it is, loads at most 80 kB', async () => {
  const { style, first } = await page();
  expect(first).toHaveLength(2);
  for (const names of first) expect(await bytesOf([style, ...names])).toBeLessThanOrEqual(MAX_FIRST_BYTES);
});

test('the font that every text needs has at most 30 kB', async () => {
  const { font } = await page();
  expect((await read(font)).length).toBeLessThanOrEqual(MAX_FONT_BYTES);
});

test('the first screen needs few requests', async () => {
  const { preload } = await page();
  expect(preload.length + OWN_REQUESTS).toBeLessThan(MAX_REQUESTS);
});

test('nothing of it names another host', async () => {
  for (const name of await assets()) {
    const text = (await read(name)).toString();
    const addresses = [...text.matchAll(/(?:https?:|wss?:)\/\/[\w.-]+/g)].map(([address]) => address);
    // Namespaces, and names that nobody has (RFC 2606).
    expect([
      name,
      addresses.filter(address => !/^http:\/\/(www\.w3\.org|\w+\.invalid)$|\.example$/.test(address)),
    ]).toEqual([name, []]);
  }
});
