import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from '../logging/logger.js';
import { callerIfKnown } from './caller.js';
import { shownPath } from './shown-path.js';

/** One line for each request, when it is over: who, what, how it ended, how long it took. Never a query string or a body. */
export function logRequest(log: Logger, request: IncomingMessage, response: ServerResponse, requestId: string): void {
  const started = process.hrtime.bigint();
  response.once('close', () => {
    const caller = callerIfKnown(request);
    const [path = ''] = (request.url ?? '').split('?');
    log.info(
      {
        requestId,
        method: request.method,
        // The ids of a request that was not refused are ids of what there is.
        path: response.statusCode < 400 ? path : shownPath(path),
        status: response.statusCode,
        durationMs: Number((process.hrtime.bigint() - started) / 10_000n) / 100,
        ...(caller && { program: caller.program, clientId: caller.clientId }),
        ...(!response.writableFinished && { aborted: true }),
      },
      'request',
    );
  });
}
