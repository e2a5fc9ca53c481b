import cors from 'cors';
import type { IncomingMessage, ServerResponse } from 'node:http';

const PREFLIGHT_SECONDS = 600;

/** Says which web pages may read answers. True for a preflight, which is answered with that. */
export type CrossOrigin = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * CORS for the origins of a list, and null for none. A page sends its token by itself, so cookies and the like (`credentials`) are never
 * allowed. A preflight has no token, and holds nothing that needs one.
 */
export function crossOriginOf(origins: readonly string[]): CrossOrigin | null {
  if (origins.length === 0) return null;
  const apply = cors<IncomingMessage>({
    origin: [...origins],
    methods: ['GET', 'POST', 'PATCH', 'DELETE'],
    allowedHeaders: ['Authorization', 'Content-Type', 'X-Idempotency-Key', 'Idempotency-Key', 'X-Request-Id'],
    exposedHeaders: [
      ...['X-Request-Id', 'Idempotent-Replayed', 'Retry-After', 'RateLimit', 'RateLimit-Policy', 'Location', 'ETag'],
      ...['Content-Disposition', 'WWW-Authenticate'],
    ],
    maxAge: PREFLIGHT_SECONDS,
  });
  return (request, response) => {
    apply(request, response, () => undefined);
    return response.writableEnded;
  };
}
