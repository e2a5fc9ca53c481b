import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { KeyRing } from './key-ring.js';

/**
 * The text of a file that only its owner can read (mode 0600), created with `make` where it is missing. Processes that
 * start together all get the same text: each writes its own complete file, and the first to link it to the name wins. A
 * rename could replace a file that another process uses already.
 */
export async function readOrCreateSecretFile(path: string, make: () => string | Promise<string>): Promise<string> {
  const secret = await readIfPresent(path);
  if (secret !== null) return secret;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeDurably(draft, await make());
    await link(draft, path).catch(unlessCode('EEXIST'));
  } finally {
    await unlink(draft).catch(unlessCode('ENOENT'));
  }
  return readFile(path, 'utf8');
}

async function readIfPresent(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    unlessCode('ENOENT')(error);
    return null;
  });
}

/** The file must be on the disk before it has its name: data sealed with a lost key is lost too. */
async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

function unlessCode(code: string): (error: unknown) => void {
  return error => {
    if ((error as NodeJS.ErrnoException).code !== code) throw error;
  };
}

/**
 * Text for `KeyRing.parse` out of `<dataDir>/field-keys`, created with one new key where it is missing. For development
 * only: keys beside the data that they seal give no protection once both are taken.
 */
export async function loadOrCreateKeys(dataDir: string): Promise<string> {
  return (await readOrCreateSecretFile(join(dataDir, 'field-keys'), () => `${KeyRing.generate()}\n`)).trim();
}
