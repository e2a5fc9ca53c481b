import type { RequestHandler } from 'express';
import type { Config } from './config.js';
import type { Container } from './container.js';
import { Replicas } from '../platform/database/replicas.js';
import { readingMiddleware } from '../platform/http/positions.js';
import type { Logger } from '../platform/logging/logger.js';
import type { Metrics } from '../platform/metrics/metrics.js';

/** The handlers that reads of requests pass where replicas are set up; none elsewhere. The container closes them. */
export interface Replication {
  readonly replicas: Replicas | null;
  readonly middleware: readonly RequestHandler[];
}

/** Throws `UnfitDatabase`. */
export async function openReplicas(
  { replicas: settings }: Config,
  { database, keys }: Container,
  metrics: Metrics | null,
  log: Logger,
): Promise<Replication> {
  if (!settings) return { replicas: null, middleware: [] };
  const replicas = new Replicas(database, settings, keys, message => log.warn(message));
  database.replicas = replicas;
  await replicas.start();
  metrics?.watchReplicas(replicas);
  return { replicas, middleware: [readingMiddleware(replicas)] };
}
