// Runs commands by their names: all of them in the order of the table, or those that the arguments name.
import { spawnSync } from 'node:child_process';

const WRONG_USAGE = 2;

/**
 * The names that the command line asks for, or `usual` where it names none. Ends the process where a name is unknown.
 */
export function chosenOf(table, usual = Object.keys(table)) {
  const names = process.argv.slice(2);
  const unknown = names.filter(name => !Object.hasOwn(table, name));
  if (unknown.length > 0) {
    console.error(`There is no ${unknown.join(', ')}. Name one or more of: ${Object.keys(table).join(', ')}.`);
    process.exit(WRONG_USAGE);
  }
  return Object.keys(table).filter(name => (names.length > 0 ? names : usual).includes(name));
}

/** Runs a command of the shell, and says whether it succeeded and how long it took. */
export function isDone(name, command) {
  const started = performance.now();
  const { status } = spawnSync(command, { shell: true, stdio: 'inherit' });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${status === 0 ? 'ok     ' : 'FAILED '} ${name} (${seconds} s)`);
  return status === 0;
}
