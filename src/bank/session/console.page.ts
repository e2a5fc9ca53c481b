import { readFile, readdir } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { installationFolder } from '../../platform/manifest.js';
import type { ContentCoding } from '../../platform/http/send.js';

/** Where the build puts the page. */
const FOLDER = join('dist', 'console');

/** The file of the page's documents, which are all that it may ask. */
export function operationsFile(): string {
  return join(installationFolder(), FOLDER, 'operations.json');
}

/** A file of the page. Its name changes with its content. */
export interface Asset {
  readonly type: string;
  /** The packed forms that are smaller. */
  readonly forms: Readonly<Partial<Record<ContentCoding, Buffer>>> & { readonly identity: Buffer };
}

/** The page of the console, as it was built. */
export interface ConsolePage {
  readonly script: string;
  readonly style: string | null;
  /** The part of the typeface that every text needs. */
  readonly font: string;
  /** Scripts that the first one needs at once. */
  readonly preload: readonly string[];
  readonly assets: ReadonlyMap<string, Asset>;
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Reads the page. Null if it was not built. */
export async function readConsolePage(): Promise<ConsolePage | null> {
  const folder = join(installationFolder(), FOLDER);
  let text: string;
  try {
    text = await readFile(join(folder, 'page.json'), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const files = new Set(await readdir(join(folder, 'assets')));
  const assets = new Map<string, Asset>();
  for (const name of files) {
    const type = TYPES[extname(name)];
    if (type === undefined) continue;
    const read = (file: string) => readFile(join(folder, 'assets', file));
    const [identity, br, gzip] = await Promise.all([
      read(name),
      files.has(`${name}.br`) ? read(`${name}.br`) : undefined,
      files.has(`${name}.gz`) ? read(`${name}.gz`) : undefined,
    ]);
    assets.set(name, { type, forms: { identity, ...(br && { br }), ...(gzip && { gzip }) } });
  }
  return { ...(JSON.parse(text) as Omit<ConsolePage, 'assets'>), assets };
}
