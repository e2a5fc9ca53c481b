import { LRUCache } from 'lru-cache';
import { redactText } from '../../../lib/redact/redact-text.js';
import { writerOfLines, type Logger } from '../logging/logger.js';
import type { Exchange } from './exchange.js';
import { shownAgent, shownPath } from './shown-path.js';

export interface RequestLogOptions {
  readonly log: Logger;
  readonly logClientAddress: boolean;
}

/**
 * Writes one line for each request when it is over: who, from where, what, its end, duration and cost. Never a query
 * string or a body. Null where such lines are not logged. docs/maintain.md lists the fields.
 */
export function requestLog({ log, logClientAddress }: RequestLogOptions): ((exchange: Exchange) => void) | null {
  const write = writerOfLines(log, 'info');
  if (!write) return null;
  return exchange => {
    const { request, response, requestId, startedMs, caller, operation, cost, refusals, clientAddress, isStream } =
      exchange;
    const { interactionId } = exchange;
    const { method = '', headers } = request;
    const { url } = exchange;
    const query = url.indexOf('?');
    const path = query < 0 ? url : url.slice(0, query);
    const { statusCode: status } = response;
    const durationMs = Math.round((performance.now() - startedMs) * 100) / 100;
    // The ids in the path of a request that was not refused exist.
    const shown = status < 400 ? path : shownPath(path);
    const who = caller ? `,"program":${knownText(caller.program)},"clientId":${knownText(caller.clientId)}` : '';
    const where = logClientAddress && clientAddress ? `,"clientAddress":${JSON.stringify(clientAddress)}` : '';
    const agent =
      headers['user-agent'] === undefined ? '' : `,"userAgent":${JSON.stringify(shownAgent(headers['user-agent']))}`;
    const what = operation === null ? '' : `,"operation":${knownText(operation)}`;
    const spent = cost === null ? '' : `,"cost":${cost}`;
    const refused = refusals === null ? '' : `,"refused":${JSON.stringify([...refusals.keys()])}`;
    const interaction = interactionId === requestId ? '' : `,"interactionId":${text(interactionId)}`;
    // The client of a stream ends it as a rule.
    const aborted = response.writableFinished || isStream ? '' : ',"aborted":true';
    write(
      `"requestId":${text(requestId)}${interaction},"method":${knownText(method)},"path":${text(shown)},"status":${status},"durationMs":${durationMs}${what}${spent}${refused}${who}${where}${agent}${aborted},"msg":"request"`,
    );
  };
}

function text(value: string): string {
  return JSON.stringify(redactText(value));
}

const MAX_KNOWN_TEXTS = 1000;
const MAX_KNOWN_CHARACTERS = 512;
const knownText = remembered(text);

/** Keeps what `show` made of texts that many requests have, such as the names of clients. */
function remembered(show: (value: string) => string): (value: string) => string {
  const texts = new LRUCache<string, string>({ max: MAX_KNOWN_TEXTS, memoMethod: show });
  return value => (value.length > MAX_KNOWN_CHARACTERS ? show(value) : texts.memo(value));
}
