// A folder for one run, which is gone at its end.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atEnd } from './run.mjs';

/** Ask for it before anything is opened in it: what is opened last is closed first. */
export function folderForThisRun() {
  const folder = mkdtempSync(join(tmpdir(), 'tillgate-bench-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
