import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Random } from '../../../../packages/sandbox/src/demo/random.js';
import { startGatewayInside, type GatewayInThisProcess } from '../../../support/gateway-inside.js';
import { Differential } from './differential.js';
import { rounds } from '../../../support/rounds.js';

let gateway: GatewayInThisProcess;
let differential: Differential;
beforeAll(async () => {
  // The clock of the sandbox has another time whenever it is asked.
  gateway = await startGatewayInside({ sandbox: false, environment: { REQUEST_LOG: 'off' } });
  differential = await Differential.of(gateway);
});
afterAll(() => gateway.stop());

/** `npm run long -- differential` sends more. */
const OPERATIONS = rounds(150, 40);

test('whatever is asked, the gateway answers as graphql-js, the first time and when it is compiled', async () => {
  const [seed] = fc.sample(fc.integer(), 1) as [number];
  await differential.run(OPERATIONS, new Random(seed)).catch((error: unknown) => {
    throw new Error(`seed ${seed}: ${(error as Error).message}\n${String((error as Error).cause)}`, { cause: error });
  });
  const { operations, compiled, refused, compared } = differential.tally;
  expect(operations).toBe(OPERATIONS);
  // Were nothing compiled, or everything refused, nothing would have been compared. About a sixth is compiled.
  expect(compiled).toBeGreaterThan(OPERATIONS / 20);
  expect(refused).toBeLessThan(compared / 2);
});
