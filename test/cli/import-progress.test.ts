import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { BATCH_LINES, batchesOf, openSource, unzipped } from '../../src/platform/import/source.js';
import { showProgress } from '../../src/platform/report/progress.js';
import { ImportTally } from '../../src/platform/import/import-lines.js';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** Something that output is written to, and what was. */
function screen(terminal: { isTTY?: true; columns?: number }) {
  const written: string[] = [];
  return { ...terminal, written, write: (text: string) => written.push(text) > 0 };
}

function tallyOf(rows: number): ImportTally {
  const tally = new ImportTally();
  tally.add(Array.from({ length: rows }, (_, index) => ({ line: index + 1, outcome: 'new' as const })));
  return tally;
}

test('a terminal shows a bar with rate and time left, which is wiped away at the end', () => {
  const terminal = screen({ isTTY: true, columns: 100 });
  const tally = tallyOf(500);
  const hide = showProgress('customers', tally, { done: () => 0.5 }, terminal);
  jest.advanceTimersByTime(2000);
  expect(terminal.written.at(-1)).toBe(
    `\r\u001b[Kcustomers: [${'#'.repeat(10)}${'.'.repeat(10)}] 50 %, 500 rows, 250 rows/s, 2 s left`,
  );
  hide();
  expect(terminal.written.at(-1)).toBe('\r\u001b[K');
  const count = terminal.written.length;
  jest.advanceTimersByTime(2000);
  expect(terminal.written).toHaveLength(count);
});

test('a narrow terminal shows what fits on one line', () => {
  const terminal = screen({ isTTY: true, columns: 20 });
  showProgress('customers', tallyOf(500), { done: () => 0.5 }, terminal)();
  jest.advanceTimersByTime(200);
  for (const text of terminal.written) expect(text.replace('\r\u001b[K', '').length).toBeLessThan(20);
});

test('elsewhere there is a plain line every few seconds, and none for a short import', () => {
  const file = screen({});
  const hide = showProgress('customers', tallyOf(500), { done: () => 0.25 }, file);
  jest.advanceTimersByTime(4000);
  expect(file.written).toEqual([]);
  jest.advanceTimersByTime(7000);
  hide();
  expect(file.written).toEqual([
    'customers: 25 %, 500 rows, 100 rows/s, 15 s left\n',
    'customers: 25 %, 500 rows, 50 rows/s, 30 s left\n',
  ]);
});

test.each<[what: string, file: string, write: (text: string) => Buffer]>([
  ['plain', 'lines.ndjson', Buffer.from],
  ['gzip', 'lines.ndjson.gz', gzipSync],
])(
  'the share of a %s file is that of the lines that are done, however far it is read ahead',
  async (_what, name, write) => {
    jest.useRealTimers();
    const folder = await mkdtemp(join(tmpdir(), 'tillgate-progress-'));
    const batches = 5;
    const lines = Array.from({ length: batches * BATCH_LINES }, (_, n) => `{"n":${n},"id":"${randomUUID()}"}\n`);
    await writeFile(join(folder, name), write(lines.join('')));
    const source = await openSource(join(folder, name), process.stdin, new AbortController().signal);
    const consumed = { bytes: 0 };
    const shares: number[] = [];
    const tally = new ImportTally(source.sizeBytes);
    expect(tally.done()).toBe(0);
    for await (const batch of batchesOf(unzipped(source.chunks, consumed))) {
      tally.add(
        batch.map(({ number }) => ({ line: number, outcome: 'new' as const })),
        consumed.bytes,
      );
      shares.push(tally.done() ?? -1);
    }
    await rm(folder, { recursive: true });
    expect(shares).toHaveLength(batches);
    shares.forEach((share, index) => expect(Math.abs(share - (index + 1) / batches)).toBeLessThan(0.15));
    expect(shares.at(-1)).toBe(1);
  },
);

test('without a known end there is no share and no time left', () => {
  const file = screen({});
  const hide = showProgress('customers', tallyOf(500), { done: () => null }, file);
  jest.advanceTimersByTime(5000);
  hide();
  expect(file.written).toEqual(['customers: 500 rows, 100 rows/s\n']);
});
