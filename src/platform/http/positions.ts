import type { RequestHandler } from 'express';
import { BadPosition } from '../database/position.js';
import { whileReading, type ReplicaSession } from '../database/reading.js';
import type { Replicas } from '../database/replicas.js';
import { exchangeOf, type Exchange } from './exchange.js';

export const POSITION_HEADER = 'Tillgate-Position';
/** More than a client has requests at once that it did not hear of yet. */
const MAX_POSITIONS = 16;

/**
 * Begins to read for a request: its answer must show at least the positions in its header, and `further`
 * ones. Throws `BadPosition`.
 */
export function beginReading(exchange: Exchange, replicas: Replicas, further: readonly string[] = []): ReplicaSession {
  const sent = exchange.request.headersDistinct[POSITION_HEADER.toLowerCase()] ?? [];
  const texts = [...sent.flatMap(line => line.split(',')).map(text => text.trim()), ...further];
  if (texts.length > MAX_POSITIONS) throw new BadPosition();
  return (exchange.reading = replicas.reading(texts));
}

/** Lets replicas answer REST requests that change nothing. It must run behind the gate. Throws `BadPosition`. */
export function readingMiddleware(replicas: Replicas): RequestHandler {
  return async (request, _response, next) => {
    const reading = beginReading(exchangeOf(request), replicas);
    if (request.method === 'GET' || request.method === 'HEAD') await reading.open();
    whileReading(reading, next);
  };
}
