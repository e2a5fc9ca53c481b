import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import pg from 'pg';
import { readConfig } from '../../src/app/config.js';
import { openContainer } from '../../src/app/container.js';
import { DevIssuer } from '../../src/platform/auth/dev-issuer.js';
import { createLogger } from '../../src/platform/logging/logger.js';
import { SCOPES } from '../../src/shared/caller.js';
import { TestData } from '../support/gateway-process/test-data.js';
import type { Answer } from '../support/http.js';
import { unique } from '../support/gateway.js';
import { Site } from './site.js';
import { anyOf } from './any-of.js';

const PROGRAM = 'two-pairs';
const ACCOUNTS = 4;
const REQUESTS = 60;
const FAULTS = ['cut after', 'gateway', 'cut before', 'session', 'cut after', 'postmaster', 'cut before', 'cut after'];
const MOST_TRIES = 400;
/** Say nothing of what became of a request: it has to be sent again. */
const UNSURE = new Set(['idempotency_in_progress', 'unavailable', 'internal_error', 'stopping']);

test('what waits is done exactly once, though gateways and PostgreSQL are killed while it is asked for and approved', async () => {
  const site = await Site.start();
  try {
    const { accounts, customers, tokenOf } = await prepare(site);
    await Promise.all(site.gateways.map(gateway => gateway.start()));
    const send = async (subject: string, path: string, body: object | undefined, key: string): Promise<Answer> => {
      const headers = {
        authorization: `Bearer ${await tokenOf(subject)}`,
        'x-idempotency-key': key,
        'x-request-id': key,
        ...(body && { 'content-type': 'application/json' }),
      };
      for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
        const { http } = anyOf(site.gateways);
        const answer = await http.send({ method: 'POST', path, body, headers }).catch(() => null);
        if (answer && !UNSURE.has(answer.body.code)) return answer;
        await sleep(Math.random() * 100);
      }
      throw new Error(`${path} had no definite answer.`);
    };
    let over = 0;
    const one = async (customerId: string, index: number) => {
      const [path, key] = [`/accounts/${accounts[index % ACCOUNTS]}/owners/add`, unique('ask')];
      const body = { holders: [{ customerId }] };
      const asked = await send('asker', path, body, key);
      const approve = `/approvals/${asked.body.approvalId}/approve`;
      // Two people at once, each with a key of their own: one of them is told that it was decided.
      const decisions = await Promise.all(
        ['one', 'other'].map(who => send(who, approve, undefined, unique('approve'))),
      );
      const done = await send('asker', path, body, key);
      over += 1;
      return {
        customerId,
        key,
        asked: asked.status,
        done: [done.status, done.body.holders?.[0].ownerStatus],
        decisions: decisions.map(({ status, body: told }) => `${status} ${told.code || told.status}`).toSorted(),
      };
    };
    const breaking = (async () => {
      for (const [index, fault] of FAULTS.entries()) {
        while (over < (customers.length * index) / FAULTS.length) await sleep(20);
        if (fault.startsWith('cut')) {
          await site.cutCommit(fault === 'cut after' ? 'after' : 'before').catch(() => undefined);
        } else await site.kill(fault as 'gateway');
      }
    })();
    const results = await Promise.all(
      Array.from({ length: 6 }, async (_, lane) => {
        const own: Awaited<ReturnType<typeof one>>[] = [];
        for (let index = lane; index < customers.length; index += 6) {
          own.push(await one(customers[index] as string, index));
        }
        return own;
      }),
    );
    await breaking;
    const sql = new pg.Pool({ connectionString: site.databaseUrl, max: 2 });
    const { rows } = await sql.query<{ key: string; actions: string[] }>(
      `SELECT request_id AS key, array_agg(action ORDER BY id) actions FROM event WHERE subject = 'asker' GROUP BY 1`,
    );
    const { rows: owners } = await sql.query<{ owners: number; approvals: number; approved: number }>(
      `SELECT (SELECT count(*)::int FROM account_owner) owners, (SELECT count(*)::int FROM approval) approvals,
        (SELECT count(*)::int FROM event WHERE action = 'approval.approve') approved`,
    );
    await sql.end();
    const actions = new Map(rows.map(row => [row.key, row.actions]));
    for (const { key, asked, done, decisions } of results.flat()) {
      expect([asked, done, decisions]).toEqual([202, [200, 'Added'], ['200 APPROVED', '409 approval_decided']]);
      expect(actions.get(key)).toEqual(['approval.request', 'owner.add']);
    }
    expect(owners[0]).toEqual({ owners: REQUESTS, approvals: REQUESTS, approved: REQUESTS });
  } finally {
    await site.stop();
  }
});

async function prepare(site: Site) {
  const config = readConfig({ DATABASE_URL: site.databaseUrl, DATA_DIR: site.dataDir });
  const container = await openContainer(config, createLogger({ level: 'silent' }));
  try {
    const issuer = await DevIssuer.open(site.dataDir);
    const who = { program: PROGRAM, clientId: 'bank', scope: SCOPES.join(' '), customerId: null, ttlSeconds: 3600 };
    const tokenOf = (subject: string) => issuer.sign({ ...who, subject });
    const given = new TestData(container, () => tokenOf('asker'));
    await given.programRecord(PROGRAM, { approvals: { changingOwners: true } });
    const accounts: string[] = [];
    // The accounts begin without owners, so that all they have was approved. An account has at most 20.
    while (accounts.length < ACCOUNTS) accounts.push((await given.account({ program: PROGRAM, owners: [] })).account);
    return { accounts, customers: await given.customers(PROGRAM, REQUESTS), tokenOf };
  } finally {
    await container.close();
  }
}
