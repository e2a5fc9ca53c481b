import 'reflect-metadata';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readFolder } from '../../../src/app/apply/folder.js';
import { readPrograms } from '../../../src/bank/program/program.file.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'documents-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('ids and texts of a file of YAML are as they are written, and numbers are numbers', async () => {
  const file = join(folder, 'programs.yaml');
  const text = `
007:
  name: 1e3
  letterhead: { name: 007 Bank, addressLines: [1.10, 0x1F] }
  transfers: { customersTo: PROGRAM, limits: [{ currency: USD, perDay: 5000.00 }] }
1e3: { name: true }
`;
  await writeFile(file, text);
  const expected = [
    {
      programId: '007',
      name: '1e3',
      letterhead: { addressLines: ['1.10', '0x1F'] },
      transfers: { limits: [{ perDay: '5000.00' }] },
    },
    { programId: '1e3', name: 'true' },
  ];
  expect(await readPrograms(file)).toMatchObject(expected);
  expect((await readFolder(folder)).programs).toMatchObject(expected);
});
