import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The version of this release, as package.json has it: beside `src`, or beside the compiled copy `dist`. */
export function version(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    try {
      const { version: found } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
      return found;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'ENOENT' || folder === dirname(folder)) throw error;
      folder = dirname(folder);
    }
  }
}
