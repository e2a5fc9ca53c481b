import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type Server } from 'node:http';
import { problemType } from '../../shared/problems.js';
import type { Exchange } from './exchange.js';
import { API_HEADERS } from './security-headers.js';

/** What Node's parser finds before there is a request. Anything else is 400. */
const STATUSES: Readonly<Record<string, number>> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

/** Answers what is no HTTP request, or comes too slowly, in the form of every other refusal, and ends the connection. */
export function answerBrokenRequests(server: Server, open: Iterable<Exchange>): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const isAnswering = [...open].some(({ request, response }) => request.socket === socket && response.headersSent);
    // Nobody is there, or an answer is on its way and this one would be taken for a part of it.
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswering) socket.destroy();
    else socket.end(problem(STATUSES[error.code ?? ''] ?? 400), () => socket.destroy());
  });
}

function problem(status: number): string {
  const title = STATUS_CODES[status] ?? '';
  const requestId = randomUUID();
  const code = 'malformed_request';
  const detail = 'The request is not valid HTTP.';
  const body = JSON.stringify({ type: problemType(code), title, status, detail, code, requestId });
  return [
    `HTTP/1.1 ${status} ${title}`,
    `X-Request-Id: ${requestId}`,
    'Content-Type: application/problem+json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    ...Object.entries(API_HEADERS).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
