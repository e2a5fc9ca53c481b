import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Router } from 'express';
import { exactRouter, refuseOtherMethods } from '../http/exact-router.js';
import { RouteNotFound } from '../http/problem.js';
import type { ProcessGroup } from '../workers/process-group.js';
import type { Metrics } from './metrics.js';

/**
 * Shows the metrics to callers with the token or, where there is none, to this machine. To others there is nothing
 * here.
 */
export function metricsRoutes(metrics: Metrics, token: string | null, { shared }: ProcessGroup): Router {
  const mayLook = token === null ? isLoopback : bearerOf(token);
  const router = exactRouter();
  router.all('/metrics', (req, _, next) => {
    if (!mayLook(req)) throw new RouteNotFound();
    next();
  });
  router.get('/metrics', async (_, res) => {
    // As bytes, since Express would write the charset of a text anew.
    res.setHeader('Content-Type', metrics.contentType);
    res.send(Buffer.from(await metrics.text(await shared?.snapshots())));
  });
  return refuseOtherMethods(router);
}

function isLoopback({ socket: { remoteAddress = '' } }: IncomingMessage): boolean {
  return /^(127\.|::1$|::ffff:127\.)/.test(remoteAddress);
}

function bearerOf(token: string) {
  const digest = (text: string) => hash('sha256', text, 'buffer');
  const expected = digest(token);
  // Digests have one length, and comparing them takes the same time wherever they differ.
  return ({ headers: { authorization = '' } }: IncomingMessage): boolean =>
    timingSafeEqual(digest(/^bearer +(\S+)$/i.exec(authorization)?.[1] ?? ''), expected);
}
