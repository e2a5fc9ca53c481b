import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What package.json says of this release. */
export interface Manifest {
  readonly version: string;
  readonly engines: { readonly node: string };
}

/** Reads package.json, which is beside `src`, or beside the compiled copy `dist`. */
export function readManifest(): Manifest {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    try {
      return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'ENOENT' || folder === dirname(folder)) throw error;
      folder = dirname(folder);
    }
  }
}
