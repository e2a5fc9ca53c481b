// A command of this package: runs its body, and whatever becomes of it ends the processes that it started.
import { once } from 'node:events';
import { constants } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/** What a reader can mend: told without a stack. */
export class Failure extends Error {}

const closers = [];
const children = new Set();
const STOP_MS = 15_000;

/** Registers what is to be closed at the end; the last one first. */
export function atEnd(close) {
  closers.push(close);
}

/** Sees to it that a child process does not outlive this one. */
export function ownChild(child) {
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}

/** Asks a child to stop, and makes it stop when it does not in time. */
export async function stopChild(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  if ((await Promise.race([gone, sleep(STOP_MS, 'late', { ref: false })])) === 'late') {
    child.kill('SIGKILL');
    await gone;
  }
}

// The last resort, where nothing can be awaited any more.
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/** Runs a command's body. Ends the process: 0 done, 1 failed, 128 and the signal's number when stopped. */
export async function run(body) {
  let ending;
  const end = () => (ending ??= closeAll());
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(signal, () => void end().then(() => process.exit(128 + constants.signals[signal])));
  }
  try {
    await body();
  } catch (error) {
    // What fails while everything is being closed is a consequence and no news.
    if (!ending) console.error(error instanceof Failure ? error.message : error);
    process.exitCode = 1;
  }
  await end();
  process.exit();
}

/** Ends what was started so far. */
export async function closeAll() {
  await Promise.all([...children].map(stopChild));
  for (const close of closers.splice(0).reverse()) {
    try {
      await close();
    } catch (error) {
      console.error(error);
    }
  }
}
