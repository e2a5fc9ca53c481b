import { expect, test } from '@jest/globals';
import { readFile, readdir } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';

const FOLDER = 'dist/console';
const MAX_BYTES = 120_000;
/** With the shell, the question who is signed in, and the first documents. */
const MAX_REQUESTS = 20;
const OWN_REQUESTS = 6;

const assets = async () => (await readdir(`${FOLDER}/assets`)).filter(name => /\.(js|css)$/.test(name));
const read = (name: string) => readFile(`${FOLDER}/assets/${name}`);

test('all scripts and styles of the console stay below 120 kB of gzip', async () => {
  const sizes = await Promise.all((await assets()).map(async name => gzipSync(await read(name), { level: 9 }).length));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MAX_BYTES);
});

test('the first screen needs few requests', async () => {
  const { preload } = JSON.parse(await readFile(`${FOLDER}/page.json`, 'utf8')) as { preload: string[] };
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
