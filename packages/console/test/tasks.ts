import { readFileSync } from 'node:fs';
import type { InputDevice } from './hands.js';

/** The most steps of a task by each device, and the file of its test. */
export type TaskOfADay = Readonly<Record<InputDevice['by'], number>> & { readonly file: string };

const ROW = /^\| ([A-Z][^|]*?) +\| +(\d+) +\| +(\d+) +\| `(\w+)` +\|$/gm;

/** The tasks of a day by their names, as the table of the README has them. */
export function tasksOfADay(): ReadonlyMap<string, TaskOfADay> {
  const rows = readFileSync('packages/console/README.md', 'utf8').matchAll(ROW);
  return new Map(
    [...rows].map(([, task = '', mouse, keyboard, file]) => [
      task,
      { mouse: Number(mouse), keyboard: Number(keyboard), file: `${file}.browser.test.ts` },
    ]),
  );
}
