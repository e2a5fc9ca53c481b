// Gateways for tests, as production starts them, in a process beside the one of the test. Its parent sends what each is
// to be like, and is told the addresses. It ends with the parent.
import 'reflect-metadata';
import { flushCompileCache } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Config } from '../../../src/app/config.js';
import { startGateway, type StartOptions } from '../../../src/app/gateway.js';
import { createLogger } from '../../../src/platform/logging/logger.js';
import { testConfig, type GatewayPlace } from './config.js';
import { controlFunctions, type InsideLoader } from './control-functions.js';
import { Control } from './control.js';
import { LogLines } from './log-lines.js';
import { makeTemplate, type TemplateOrder } from './template.js';

/** What a gateway process is to be like. */
export interface GatewayOrder {
  readonly place: GatewayPlace;
  readonly changes: Partial<Config>;
  /** The module whose function `options` gives the plugins or nouns that it starts with, by its path. */
  readonly options?: string | undefined;
}

/** An error of the gateway's process, with all that it tells. */
export interface Failure {
  readonly name: string;
  readonly message: string;
}

/** Where a gateway serves. */
export interface GatewayStarted {
  readonly url: string;
  readonly controlUrl: string;
}

/**
 * What the parent sends: a gateway to start under a number, the number of one that is not needed any more, or a
 * database to make.
 */
export type ParentMessage =
  | { readonly start: number; readonly order: GatewayOrder }
  | { readonly forget: number }
  | { readonly make: number; readonly template: TemplateOrder };

/** What the parent is told of what it asked for under that number. */
export interface ChildMessage<Done = unknown> {
  readonly number: number;
  readonly done: Done | { readonly failure: Failure };
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
  const isGateway = 'start' in message;
  const number = isGateway ? message.start : message.make;
  const done = isGateway ? start(number, message.order) : makeFirst(message.template);
  void done.catch(failed).then(told => process.send?.({ number, done: told } satisfies ChildMessage));
});
process.once('disconnect', () => process.exit());

async function makeFirst(template: TemplateOrder): Promise<void> {
  await makeTemplate(template);
  // The processes of other workers begin later, and load what is compiled now. None of them ends by itself.
  flushCompileCache();
}

async function start(number: number, { place, changes, options: module }: GatewayOrder): Promise<GatewayStarted> {
  const config = testConfig(place, changes);
  const log = new LogLines();
  const logger = createLogger({ level: 'debug', destination: { write: line => log.add(line) } });
  const options = module === undefined ? {} : ((await load(module))['options'] as () => StartOptions)();
  const gateway = await startGateway(config, logger, options);
  const control = await Control.start(await controlFunctions(gateway, config, load), log);
  controls.set(number, control);
  return { url: gateway.url, controlUrl: control.url };
}

function failed(error: Error): { readonly failure: Failure } {
  const { name, message, ...more } = error;
  return { failure: { ...more, name, message } };
}
