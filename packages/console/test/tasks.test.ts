import { expect, test } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { tasksOfADay } from './tasks.js';

const FOLDER = 'packages/console/test';

test('each task of a day has a test, and the table names its file', () => {
  const done = globSync(`${FOLDER}/*.browser.test.ts`).flatMap(path =>
    [...readFileSync(path, 'utf8').matchAll(/\.did\('([^']+)'\)/g)].map(([, task]) => `${task}: ${basename(path)}`),
  );
  const listed = [...tasksOfADay()].map(([task, { file }]) => `${task}: ${file}`);
  expect(listed.toSorted()).toEqual(done.toSorted());
  expect(listed.length).toBeGreaterThanOrEqual(20);
});
