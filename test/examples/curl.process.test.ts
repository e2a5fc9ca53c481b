import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { jobsDone } from '../support/jobs.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { start } from './program.js';

/** Contract 4.1 to 4.11, as the metrics of the gateway call them. */
const CONTRACT = [
  'GET /accounts/:accountId/beneficiaries',
  'POST /accounts/:accountId/beneficiaries',
  'GET /accounts/:accountId/beneficiaries/:beneficiaryId',
  'PATCH /accounts/:accountId/beneficiaries/:beneficiaryId',
  'DELETE /accounts/:accountId/beneficiaries/:beneficiaryId',
  'POST /accounts/:accountId/owners/add',
  'POST /accounts/:accountId/owners/remove',
  'GET /accounts/:accountId/statements',
  'GET /accounts/:accountId/:docType/:statement',
  'GET /accounts/:accountId/transactions',
  'POST /cards/v1/cards',
];
const UPLOAD = 'POST /accounts/:accountId/statements';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ demoData: true });
  await jobsDone(gateway.sql);
});
afterAll(() => gateway.stop());

test('the curl example calls every route of the contract, twice if need be, and shows each answer', async () => {
  const caller = await gateway.caller();
  const before = await gateway.rows();
  for (let time = 1; time <= 2; time++) {
    const { status, stdout, stderr } = await start('curl', ['bash', 'every-route.sh'], { TILLGATE_URL: gateway.url })
      .ended;
    expect([stderr, status]).toEqual(['', 0]);
    // One answer for each request.
    expect(stdout.match(/^\d{3} {2}.+$/gm)).toHaveLength(stdout.match(/^(GET|POST|PATCH|DELETE) \//gm)?.length ?? 0);
    expect(stdout).not.toMatch(/eyJ/);
  }
  const { text } = await gateway.as(caller).rest.get('/metrics');
  const called = [...text.matchAll(/^tillgate_requests_total\{api="rest",operation="([^"]+)"/gm)].map(
    ([, name]) => name,
  );
  expect(called).toEqual(expect.arrayContaining([...CONTRACT, UPLOAD]));
  const { beneficiary, account_owner: owners, statement } = await gateway.rows();
  const { beneficiary: beneficiaries, account_owner: owning, statement: statements = 0 } = before;
  expect([beneficiary, owners, statement]).toEqual([beneficiaries, owning, statements + 2]);
});

test('the curl example ends with 1 where an answer is not what it should be', async () => {
  const { status, stdout, stderr } = await start('curl', ['bash', 'every-route.sh', 'no-such-account'], {
    TILLGATE_URL: gateway.url,
  }).ended;
  expect([status, stderr]).toEqual([1, 'Expected was 201.\n']);
  expect(stdout).toMatch(/^404 {2}.*"account_not_found"/m);
});
