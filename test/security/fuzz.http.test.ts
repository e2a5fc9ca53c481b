import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { attack, operationShots, routeShots, targetOf, type Target } from './fuzz-attack.js';
import { rounds } from '../support/rounds.js';

let gateway: TestGateway;
let of: Target;
beforeAll(async () => {
  gateway = await startTestGateway();
  of = await targetOf(gateway);
});
afterAll(() => gateway.stop());

// The same shots each time; `npm run long -- fuzz` takes others.
const OPTIONS = { seed: 20_261_121, numRuns: rounds(600) };

test('whatever comes to a route is answered or refused, and tells nothing of the inside or of what was sent', async () => {
  await attack(gateway, await routeShots(gateway, of), OPTIONS);
  expect((await gateway.as(null).rest.get('/readyz')).status).toBe(200);
});

test('whatever comes as an operation is answered or refused, and tells nothing of the inside or of what was sent', async () => {
  await attack(gateway, await operationShots(gateway, of), OPTIONS);
  expect((await gateway.as(null).rest.get('/readyz')).status).toBe(200);
});
