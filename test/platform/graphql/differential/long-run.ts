import 'reflect-metadata';
import { randomInt } from 'node:crypto';
import { Random } from '../../../../packages/sandbox/src/demo/random.js';
import globalSetup from '../../../support/global-setup.js';
import globalTeardown from '../../../support/global-teardown.js';
import { startGatewayInside } from '../../../support/gateway-inside.js';
import { Differential } from './differential.js';

const OPERATIONS = 20_000;
const TOLD_EVERY = 1000;

const tell = (line: string) => void process.stdout.write(`${new Date().toISOString()} ${line}\n`);

await globalSetup();
// The clock of the sandbox has another time whenever it is asked.
const gateway = await startGatewayInside({ sandbox: false, environment: { REQUEST_LOG: 'off' } });
const [given] = process.argv.slice(2);
const seed = given === undefined ? randomInt(2 ** 31) : Number(given);
const differential = await Differential.of(gateway);
tell(`seed ${seed}: give it as an argument to ask the same again`);
try {
  const random = new Random(seed);
  while (differential.tally.operations < OPERATIONS) {
    await differential.run(TOLD_EVERY, random);
    tell(JSON.stringify(differential.tally));
  }
  tell('0 differences');
} catch (error) {
  tell(error instanceof Error ? `${error.message}\n${String(error.cause)}` : 'It failed without an error.');
  process.exitCode = 1;
} finally {
  await gateway.stop();
  await globalTeardown();
}
