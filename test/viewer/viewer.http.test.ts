import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { SCOPES } from '../../src/shared/caller.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const VIEWER = '{ viewer { subject clientId programId programName customerId scopes } }';
const who = { subject: 'u-4711', clientId: 'core' };

test('a token is told whom it speaks for and what it allows, alike over both APIs', async () => {
  const program = gateway.given.program();
  await gateway.given.programRecord(program, { name: 'Harborlight' });
  const me = gateway.as(await gateway.caller({ program, ...who, scopes: ['cards.read', 'accounts.read'] }));
  const named = { programId: program, programName: 'Harborlight' };
  const viewer = { ...who, ...named, scopes: ['accounts.read', 'cards.read'] };
  expect((await me.graphql(VIEWER)).data.viewer).toEqual({ ...viewer, customerId: null });
  expect((await me.rest.get('/viewer')).body).toEqual({ ...viewer, customerId: '' });
});

test('a program without a record has no name, a token without scopes allows nothing, and both are told', async () => {
  const program = gateway.given.program();
  const me = gateway.as(await gateway.caller({ program, ...who, scopes: [] }));
  const viewer = { ...who, programId: program, programName: null, customerId: null, scopes: [] };
  expect((await me.graphql(VIEWER)).data.viewer).toEqual(viewer);
  expect((await me.rest.get('/viewer')).body).toEqual({ ...viewer, customerId: '', programName: '' });
});

test('operations includes operations.read, approvals, requests.read and transfers.write', async () => {
  const me = gateway.as(await gateway.caller({ scopes: 'operations unknown.scope' }));
  const { data } = await me.graphql(VIEWER);
  expect(data.viewer.scopes).toEqual([
    'approvals',
    'operations',
    'operations.read',
    'requests.read',
    'transfers.write',
  ]);
});

test('the token of a customer names the customer, and does not allow what is for the whole program', async () => {
  const customerId = randomUUID();
  const me = gateway.as(await gateway.caller({ customerId, scopes: SCOPES }));
  const { data } = await me.graphql(VIEWER);
  expect(data.viewer).toMatchObject({ customerId });
  expect(data.viewer.scopes).toEqual(
    SCOPES.filter(scope => !/^(operations|approvals|owners\.write)/.test(scope)).toSorted(),
  );
});
