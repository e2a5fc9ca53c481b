import 'reflect-metadata';
import { randomInt } from 'node:crypto';
import globalSetup from '../support/global-setup.js';
import globalTeardown from '../support/global-teardown.js';
import { startGatewayInside } from '../support/gateway-inside.js';
import { attack, operationShots, routeShots, targetOf } from './fuzz-attack.js';

const FOR_MS = 60_000;
const SHOTS_A_ROUND = 500;

const tell = (line: string) => void process.stdout.write(`${new Date().toISOString()} ${line}\n`);

await globalSetup();
const gateway = await startGatewayInside();
const tally: Record<string, number> = {};
try {
  for (const endMs = Date.now() + FOR_MS; Date.now() < endMs;) {
    const seed = randomInt(2 ** 31);
    // An account of its own for each round, since full ones refuse for that reason alone.
    const of = await targetOf(gateway);
    for (const shots of [await routeShots(gateway, of), await operationShots(gateway, of)]) {
      await attack(gateway, shots, { seed, numRuns: SHOTS_A_ROUND }, ({ answer: { status } }) => {
        tally[status] = (tally[status] ?? 0) + 1;
      });
    }
  }
} catch (error) {
  tell(error instanceof Error ? `${error.message}\n${String(error.cause)}` : 'It failed without an error.');
  process.exitCode = 1;
} finally {
  tell(JSON.stringify(tally));
  await gateway.stop();
  await globalTeardown();
}
