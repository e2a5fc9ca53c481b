import { expect, test } from '@jest/globals';
import { poolModeOfRun } from '../support/pooler.js';
import { storm, type Fault } from './storm.js';

/** In a run through a pooler, this is killed as well. */
const POOLER: Fault[] = poolModeOfRun() === null ? [] : ['pooler'];

test('every keyed write is done exactly once, though gateways and PostgreSQL are killed and connections cut in their COMMIT', async () => {
  const figures = await storm({
    writes: 300,
    clients: 10,
    accounts: 6,
    withinMs: 3e5,
    faults: [
      ['gateway', 'pause', ...POOLER, 'gateway', ...POOLER],
      ['cut after', 'cut before', 'postmaster', 'cut after', 'session', 'cut before', 'cut after'],
    ],
  });
  const { wrong, lost, doubled, wrongReplays, wrongAccounts, unfed } = figures;
  expect({ wrong, lost, doubled, wrongReplays, wrongAccounts, unfed }).toEqual({
    wrong: [],
    lost: [],
    doubled: [],
    wrongReplays: [],
    wrongAccounts: [],
    unfed: [],
  });
  expect(figures.unsure['internal_error'] ?? 0).toBe(0);
  expect(figures.writes).toBeGreaterThanOrEqual(300);
  // Something was in flight each time, or the test would say nothing.
  expect(figures.retries).toBeGreaterThan(0);
});
