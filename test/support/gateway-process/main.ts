// Gateways for tests, as production starts them, in a process beside the one of the test. Its parent sends what each is
// to be like, and is told the addresses. It ends with the parent.
import 'reflect-metadata';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Config } from '../../../src/app/config.js';
import { startGateway } from '../../../src/app/gateway.js';
import { createLogger } from '../../../src/platform/logging/logger.js';
import { testConfig, type GatewayPlace } from './config.js';
import { controlFunctions, type InsideLoader } from './control-functions.js';
import { Control } from './control.js';
import { LogLines } from './log-lines.js';

/** What a gateway process is to be like. */
export interface GatewayOrder {
  readonly place: GatewayPlace;
  readonly changes: Partial<Config>;
}

/** An error of the gateway's process, with all that it tells. */
export interface Failure {
  readonly name: string;
  readonly message: string;
}

/** Where a gateway serves, or why it does not. */
export type GatewayStarted = { readonly url: string; readonly controlUrl: string } | { readonly failure: Failure };

/** What the parent sends: a gateway to start under a number, or the number of one that is not needed any more. */
export type ParentMessage = { readonly start: number; readonly order: GatewayOrder } | { readonly forget: number };

/** What the parent is told of the gateway with that number. */
export interface StartedMessage {
  readonly number: number;
  readonly started: GatewayStarted;
}

/** Modules of tests are bundled with this file, each at its path in the repository. */
const BUNDLE = resolve(process.argv[1] as string, '../../../..');
const load: InsideLoader = module => import(pathToFileURL(join(BUNDLE, `${module}.mjs`)).href);

const controls = new Map<number, Control>();

process.on('message', (message: ParentMessage) => {
  if ('forget' in message) {
    controls.get(message.forget)?.close();
    controls.delete(message.forget);
    return;
  }
  const { start: number, order } = message;
  void start(number, order).then(started => process.send?.({ number, started } satisfies StartedMessage));
});
process.once('disconnect', () => process.exit());

async function start(number: number, { place, changes }: GatewayOrder): Promise<GatewayStarted> {
  try {
    const config = testConfig(place, changes);
    const log = new LogLines();
    const logger = createLogger({ level: 'debug', destination: { write: line => log.add(line) } });
    const gateway = await startGateway(config, logger);
    const control = await Control.start(await controlFunctions(gateway, config, load), log);
    controls.set(number, control);
    return { url: gateway.url, controlUrl: control.url };
  } catch (error) {
    const { name, message, ...more } = error as Error;
    return { failure: { ...more, name, message } };
  }
}
