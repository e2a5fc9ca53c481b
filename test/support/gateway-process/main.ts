// A gateway for tests, as production starts it, in a process of its own. Its parent sends what it is to be like, and
// is told the addresses. It stops when the parent says so or is gone.
import 'reflect-metadata';
import type { Config } from '../../../src/app/config.js';
import { startGateway, type Gateway } from '../../../src/app/gateway.js';
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

/** What the process tells its parent once it serves, or why it does not. */
export type GatewayStarted = { readonly url: string; readonly controlUrl: string } | { readonly failure: string };

let gateway: Gateway | undefined;

process.on('message', (message: GatewayOrder | 'stop') => {
  void (message === 'stop' ? stop() : start(message).then(started => process.send?.(started)));
});
process.once('disconnect', () => process.exit());

async function start({ place, changes }: GatewayOrder): Promise<GatewayStarted> {
  try {
    const config = testConfig(place, changes);
    const log = new LogLines();
    const logger = createLogger({ level: 'debug', destination: { write: line => log.add(line) } });
    gateway = await startGateway(config, logger);
    return { url: gateway.url, controlUrl: await startControl(await controlFunctions(gateway, config), log) };
  } catch (error) {
    return { failure: (error as Error).stack ?? String(error) };
  }
}

async function stop(): Promise<void> {
  await gateway?.stop();
  process.exit();
}
