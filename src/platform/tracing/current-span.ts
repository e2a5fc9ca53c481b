import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context } from '@opentelemetry/api';

/** Where in a trace something happens. A request has one place, which moves on from span to span. */
export interface Place {
  readonly context: Context;
}

/** The place of what runs now; none outside of requests. */
export const places = new AsyncLocalStorage<Place>();
