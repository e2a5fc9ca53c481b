import 'reflect-metadata';
import type { ApolloServerPlugin } from '@apollo/server';
import type { Context } from '../platform/graphql/context.js';
import { createLogger } from '../platform/logging/logger.js';
import type { AnyNoun } from '../platform/noun/noun.js';
import type { Bank, Services } from './nouns.js';
import { readServedConfig } from './served-config.js';

export interface GatewayOptions {
  /** The settings, as `.env.example` lists them, for example `process.env`. */
  readonly settings: Readonly<Record<string, string | undefined>>;
  /**
   * Plugins of Apollo Server, called for each operation in this order after the gateway's own. An operation is executed
   * by graphql-js, and never by a compiled function, if a plugin listens to `executionDidStart` or
   * `didEncounterErrors`.
   */
  readonly plugins?: readonly ApolloServerPlugin<Context>[];
  /** The nouns that are served besides the bank, and besides those that the setting `NOUNS` adds. */
  readonly nouns?: readonly AddedNoun[];
}

/** A noun whose services are made of those of the bank. */
export type AddedNoun = AnyNoun & { readonly services?: (needs: Bank & Services) => object };

/** A gateway that serves. */
export interface RunningGateway {
  /** Where it listens, for example `http://127.0.0.1:4000`. */
  readonly url: string;
  /** Finishes the requests that run, and closes everything. */
  stop(): Promise<void>;
}

/**
 * Starts a gateway in this process, as `tillgate serve` does without `WORKERS`. Throws `UsageError` for a wrong
 * setting, and what the database or the port refuses.
 */
export async function createGateway({ settings, plugins = [], nouns = [] }: GatewayOptions): Promise<RunningGateway> {
  const config = await readServedConfig(settings);
  const log = createLogger({ level: config.logLevel });
  const { startGateway } = await import('./gateway.js');
  const { nounsOf } = await import('./nouns.js');
  const gateway = await startGateway(config, log, { plugins, nouns: (await nounsOf(config)).with(nouns) });
  return { url: gateway.url, stop: () => gateway.stop() };
}
