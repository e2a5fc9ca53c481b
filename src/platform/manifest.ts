import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The words of package.json about this release. */
export interface Manifest {
  readonly version: string;
  readonly engines: { readonly node: string };
}

export function readManifest(): Manifest {
  return found().manifest;
}

/** The folder of package.json, in which the gateway is installed: `src` is in it, or the compiled copy `dist`. */
export function installationFolder(): string {
  return found().folder;
}

function found(): { readonly folder: string; readonly manifest: Manifest } {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    try {
      const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
      return { folder, manifest };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'ENOENT' || folder === dirname(folder)) throw error;
      folder = dirname(folder);
    }
  }
}
