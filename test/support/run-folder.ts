import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { constants, freemem, tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { isAlive } from '../../lib/embedded-postgres/lock-file.js';
import { pidOfServer } from '../../lib/embedded-postgres/postgres-presence.js';
import { until } from './until.js';

const FOLDER = 'tillgate-test-';
const MEMORY = '/dev/shm';
/** A run needs a small part of it. */
const ENOUGH_BYTES = 6 * 1024 ** 3;
const PID_FILE = 'postmaster.pid';
/** A server is in the folder of the run, in that of a test within it, or in that of a gateway of the test. */
const MAX_DEPTH = 6;
/** A worker of Jest that ends is replaced, so one look is not enough. */
const LOOKS = 5;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Makes the folder of a run, which is that of temporary files for all its processes, and removes those of runs that
 * were killed. In memory, if there is much of it: each copy of a database is hundreds of files, which take ten times as
 * long on a disk.
 */
export async function makeRunFolder(): Promise<string> {
  const parent = await temporaryFolder();
  await removeLeftOvers(parent);
  const folder = await mkdtemp(path.join(parent, `${FOLDER}${process.pid}-`));
  // PostgreSQL is another user's where the tests are root's.
  await chmod(folder, 0o755);
  process.env['TMPDIR'] = folder;
  return folder;
}

/** Stops every PostgreSQL server whose data are in the folder, whichever test started it, and deletes the folder. */
export async function removeRunFolder(folder: string): Promise<void> {
  await stopServersIn(folder);
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
}

/**
 * Ends this process when it is told to, after its children and after `end`. A PostgreSQL server of a test is a child of
 * no process, so it would stay otherwise.
 */
export function endOnSignals(end: () => Promise<void>): void {
  for (const signal of SIGNALS) {
    process.once(signal, () => {
      void (async () => {
        try {
          await killDescendants();
          await end();
        } finally {
          process.exit(128 + constants.signals[signal]);
        }
      })();
    });
  }
}

async function killDescendants(): Promise<void> {
  for (let look = 0; look < LOOKS; look++) {
    const pids = await descendantsOf(process.pid);
    if (pids.length === 0) return;
    for (const pid of pids) signalTo(pid, 'SIGKILL');
  }
}

async function descendantsOf(root: number): Promise<number[]> {
  const listing = promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,comm=']);
  const lines = (await listing).stdout.trim().split('\n');
  const processes = lines.map(line => {
    const [pid, parent, program] = line.trim().split(/\s+/);
    return { pid: Number(pid), parent: Number(parent), isListing: Number(pid) === listing.child.pid, program };
  });
  const found = new Set([root]);
  // A child can have a smaller number than its parent, so the list is read until nothing is new.
  for (let before = 0; before < found.size;) {
    before = found.size;
    for (const { pid, parent, isListing } of processes) if (found.has(parent) && !isListing) found.add(pid);
  }
  found.delete(root);
  return [...found];
}

async function stopServersIn(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const clusters = entries
    .filter(({ name, parentPath }) => name === PID_FILE && depthOf(folder, parentPath) <= MAX_DEPTH)
    .map(({ parentPath }) => parentPath);
  await Promise.all(clusters.map(stopServer));
}

function depthOf(folder: string, within: string): number {
  return path.relative(folder, within).split(path.sep).length;
}

/** SIGINT is the fast shutdown, which waits for no client. */
async function stopServer(cluster: string): Promise<void> {
  const pid = await pidOfServer(cluster);
  if (pid === null || !signalTo(pid, 'SIGINT')) return;
  await until(() => !isAlive(pid)).catch(() => signalTo(pid, 'SIGQUIT'));
}

function signalTo(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

async function temporaryFolder(): Promise<string> {
  if (process.env['TMPDIR'] !== undefined) return tmpdir();
  const free = await statfs(MEMORY).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return Math.min(free, freemem()) > ENOUGH_BYTES ? MEMORY : tmpdir();
}

/** A run that was killed could not stop its servers. The next run does it. */
async function removeLeftOvers(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const pid = Number(new RegExp(`^${FOLDER}(\\d+)-`).exec(name)?.[1]);
    if (pid && !isAlive(pid)) await removeRunFolder(path.join(parent, name)).catch(() => undefined);
  }
}
