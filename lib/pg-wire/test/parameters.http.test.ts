import { describe, expect, test } from '@jest/globals';
import { parameterOf } from '../parameters.js';
import { statementOf } from '../statement.js';
import { openedDatabase } from '../../../test/support/opened-database.js';

const database = openedDatabase(1);

/** Gives the elements that the server reads of an array. */
async function readAs(type: string, values: readonly unknown[]): Promise<unknown[]> {
  const rows = await database().query<[unknown]>(statementOf(`select v from unnest($1::${type}[]) v`), [values]);
  return rows.map(([value]) => value);
}

describe('an array arrives as it is', () => {
  const TEXTS = ['plums', '', 'NULL', 'null', '{1,2}', 'a "b"', String.raw`a\b`, String.raw`\"`, ' ', 'a,b', 'ü\n€😀'];

  test.each([
    ['texts', 'text', TEXTS],
    ['texts and nulls', 'text', [null, 'plums', null]],
    ['nulls', 'text', [null, null]],
    ['nothing', 'text', []],
    ['numbers', 'int4', [1, -2, null]],
    ['large numbers', 'int8', [9_223_372_036_854_775_807n, -1n]],
    ['truths', 'bool', [true, false, null]],
    ['bytes', 'bytea', [Buffer.from('plums'), Buffer.alloc(0), Buffer.from([0, 255, 92, 34])]],
    ['bytes and nulls', 'bytea', [null, Buffer.from([1]), null]],
    ['no bytes', 'bytea', []],
    ['many bytes', 'bytea', [Buffer.alloc(70_000, 7), Buffer.alloc(1)]],
  ])('%s', async (_what, type, values) => {
    expect(await readAs(type, values)).toEqual(values);
  });

  test('an absent value is null', async () => {
    expect(await readAs('text', ['plums', undefined])).toEqual(['plums', null]);
    expect(await readAs('bytea', [undefined, Buffer.from([1])])).toEqual([null, Buffer.from([1])]);
  });

  test('bytes that are a part of others arrive without these', async () => {
    const bytes = new Uint8Array([1, 2, 3, 4]).subarray(1, 3);
    expect(await readAs('bytea', [bytes])).toEqual([Buffer.from([2, 3])]);
  });

  test('an instant arrives as the driver writes it', async () => {
    expect(await readAs('timestamptz', [new Date(0)])).toEqual(['1970-01-01T00:00:00.000Z']);
  });
});

test('bytes are as long on their way as they are', () => {
  expect(parameterOf([Buffer.alloc(1000)])).toHaveLength(20 + 4 + 1000);
});
