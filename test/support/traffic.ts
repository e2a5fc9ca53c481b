import { appendFileSync } from 'node:fs';
import type { Answer, HttpRequest } from './http.js';

/** Where requests and answers are kept for other tools to judge: `npm run long -- conformance` sets it. */
const FILE = process.env['TEST_TRAFFIC'];
/** Fuzz tests and documents send megabytes, of which no tool finds more than of a small one. */
const MAX_BODY_BYTES = 256 * 1024;

/** Writes a request with its answer as a line of JSON, bodies in base64. */
export function recordTraffic({ method = 'GET', path, headers = {}, body }: HttpRequest, answer: Answer): void {
  if (FILE === undefined || Array.isArray(headers)) return;
  const sent =
    body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? (body ?? '') : JSON.stringify(body);
  if (sent.length > MAX_BODY_BYTES || answer.bytes.length > MAX_BODY_BYTES) return;
  const exchange = {
    method,
    path,
    headers,
    body: Buffer.from(sent).toString('base64'),
    answer: {
      status: answer.status,
      headers: answer.headers,
      body: answer.bytes.toString('base64'),
    },
  };
  appendFileSync(FILE, `${JSON.stringify(exchange)}\n`);
}
