import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** All files below a folder. */
export function filesIn(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name));
}
