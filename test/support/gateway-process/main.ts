// A gateway for tests, as production starts it, in a process of its own. Its parent sends what it is to be like, and
// is told the addresses. It ends with the parent.
import 'reflect-metadata';
import type { Config } from '../../../src/app/config.js';
import { startGateway } from '../../../src/app/gateway.js';
import { createLogger } from '../../../src/platform/logging/logger.js';
import { testConfig, type GatewayPlace } from './config.js';
import { controlFunctions } from './control-functions.js';
import { startControl } from './control.js';
import { LogLines } from './log-lines.js';

/** What a gateway process is to be like. */
export interface GatewayOrder {
  readonly place: GatewayPlace;
  readonly changes: Partial<Config>;
}

/** An error of the gateway's process. */
export interface Failure {
  readonly name: string;
  readonly message: string;
}

/** What the process tells its parent once it serves, or why it does not. */
export type GatewayStarted = { readonly url: string; readonly controlUrl: string } | { readonly failure: Failure };

process.once('message', (order: GatewayOrder) => {
  void start(order).then(started => process.send?.(started));
});
process.once('disconnect', () => process.exit());

async function start({ place, changes }: GatewayOrder): Promise<GatewayStarted> {
  try {
    const config = testConfig(place, changes);
    const log = new LogLines();
    const logger = createLogger({ level: 'debug', destination: { write: line => log.add(line) } });
    const gateway = await startGateway(config, logger);
    return { url: gateway.url, controlUrl: await startControl(await controlFunctions(gateway, config), log) };
  } catch (error) {
    const { name, message } = error as Error;
    return { failure: { name, message } };
  }
}
