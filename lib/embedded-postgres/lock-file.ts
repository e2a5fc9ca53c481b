import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 20;
const WAIT_MS = 90_000;
/** Whatever is done under a lock has a shorter timeout than this, so an older lock has lost its owner. */
const OLDEST_LOCK_MS = 300_000;

/** Locks of this process. A file with its pid that is not here was left by an earlier process of the same number. */
const held = new Set<string>();

/**
 * Runs `work` while no other process does. The lock is a file that names its owner's pid: a crash cannot hold it for
 * ever, because the lock of a dead process counts for nothing. Throws when the lock stays taken.
 */
export async function withLockFile<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  await acquire(file);
  try {
    return await work();
  } finally {
    held.delete(file);
    await rm(file, { force: true });
  }
}

async function acquire(file: string): Promise<void> {
  const giveUpAt = Date.now() + WAIT_MS;
  while (!(await create(file))) {
    if (await isStale(file)) {
      await rm(file, { force: true });
    } else if (Date.now() > giveUpAt) {
      throw new Error(
        `Another process has held the lock ${file} for more than ${WAIT_MS / 1000} seconds. If no process is starting or stopping, delete that file.`,
      );
    } else {
      await sleep(POLL_MS);
    }
  }
}

async function create(file: string): Promise<boolean> {
  if (held.has(file)) return false;
  held.add(file);
  try {
    await writeFile(file, `${process.pid}\n`, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    held.delete(file);
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function isStale(file: string): Promise<boolean> {
  if (held.has(file)) return false;
  try {
    const { mtimeMs } = await stat(file);
    if (Date.now() - mtimeMs > OLDEST_LOCK_MS) return true;
    const content = await readFile(file, 'utf8');
    // The file is created before the pid is in it, so an empty one is only a moment old.
    if (content === '') return false;
    const pid = Number(content);
    return pid === process.pid || !isAlive(pid);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** True if a process of this number exists; its owner makes no difference. */
export function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
