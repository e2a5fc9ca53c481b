import { writerOfLines, type Logger } from '../logging/logger.js';
import { redactText } from '../logging/redact-text.js';
import type { Exchange } from './exchange.js';
import { shownAgent } from './shown-agent.js';
import { shownPath } from './shown-path.js';

export interface RequestLogOptions {
  readonly log: Logger;
  readonly logClientAddress: boolean;
}

/**
 * Writes one line for each request, when it is over: who, from where, what, how it ended, how long it took and what it cost. Never a
 * query string or a body. Null where no such line is logged. docs/operations.md lists the fields.
 */
export function requestLog({ log, logClientAddress }: RequestLogOptions): ((exchange: Exchange) => void) | null {
  const write = writerOfLines(log, 'info');
  if (!write) return null;
  return exchange => {
    const { request, response, requestId, startedMs, caller, operation, cost, refusals, clientAddress } = exchange;
    const { method = '', url = '', headers } = request;
    const query = url.indexOf('?');
    const path = query < 0 ? url : url.slice(0, query);
    const { statusCode: status } = response;
    const durationMs = Math.round((performance.now() - startedMs) * 100) / 100;
    // The ids of a request that was not refused are ids of what there is.
    const shown = status < 400 ? path : shownPath(path);
    const who = caller ? `,"program":${knownText(caller.program)},"clientId":${knownText(caller.clientId)}` : '';
    const where = logClientAddress && clientAddress ? `,"clientAddress":${JSON.stringify(clientAddress)}` : '';
    const agent = headers['user-agent'] === undefined ? '' : `,"userAgent":${knownAgent(headers['user-agent'])}`;
    const what = operation === null ? '' : `,"operation":${knownText(operation)}`;
    const spent = cost === null ? '' : `,"cost":${cost}`;
    const refused = refusals === null ? '' : `,"refused":${JSON.stringify([...refusals])}`;
    const aborted = response.writableFinished ? '' : ',"aborted":true';
    write(
      `"requestId":${text(requestId)},"method":${knownText(method)},"path":${text(shown)},"status":${status},"durationMs":${durationMs}${what}${spent}${refused}${who}${where}${agent}${aborted},"msg":"request"`,
    );
  };
}

function text(value: string): string {
  return JSON.stringify(redactText(value));
}

const MAX_KNOWN_TEXTS = 1000;
const MAX_KNOWN_CHARACTERS = 512;
const knownText = remembered(text);
const knownAgent = remembered(sent => JSON.stringify(shownAgent(sent)));

/** The same for texts that come again and again, such as the names of clients. */
function remembered(show: (value: string) => string): (value: string) => string {
  const knownTexts = new Map<string, string>();
  return value => {
    let known = knownTexts.get(value);
    if (known === undefined) {
      if (value.length > MAX_KNOWN_CHARACTERS) return show(value);
      if (knownTexts.size === MAX_KNOWN_TEXTS) knownTexts.clear();
      known = show(value);
      knownTexts.set(value, known);
    }
    return known;
  };
}
