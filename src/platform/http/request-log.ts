import { writerOfLines, type Logger } from '../logging/logger.js';
import { redactText } from '../logging/redact-text.js';
import type { Exchange } from './exchange.js';
import { shownPath } from './shown-path.js';

/**
 * Writes one line for each request, when it is over: who, what, how it ended, how long it took and what it cost. Never a
 * query string or a body. Null where no such line is logged.
 */
export function requestLog(log: Logger): ((exchange: Exchange) => void) | null {
  const write = writerOfLines(log, 'info');
  if (!write) return null;
  return exchange => {
    const { request, response, requestId, startedMs, caller, operation, cost, refusals } = exchange;
    const { method = '', url = '' } = request;
    const query = url.indexOf('?');
    const path = query < 0 ? url : url.slice(0, query);
    const { statusCode: status } = response;
    const durationMs = Math.round((performance.now() - startedMs) * 100) / 100;
    // The ids of a request that was not refused are ids of what there is.
    const shown = status < 400 ? path : shownPath(path);
    const who = caller ? `,"program":${text(caller.program)},"clientId":${text(caller.clientId)}` : '';
    const what = operation === null ? '' : `,"operation":${text(operation)}`;
    const spent = cost === null ? '' : `,"cost":${cost}`;
    const refused = refusals === null ? '' : `,"refused":${JSON.stringify([...refusals])}`;
    const aborted = response.writableFinished ? '' : ',"aborted":true';
    write(
      `"requestId":${text(requestId)},"method":${text(method)},"path":${text(shown)},"status":${status},"durationMs":${durationMs}${what}${spent}${refused}${who}${aborted},"msg":"request"`,
    );
  };
}

function text(value: string): string {
  return JSON.stringify(redactText(value));
}
