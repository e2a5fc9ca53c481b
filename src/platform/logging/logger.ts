import { format } from 'node:util';
import { pino, type Bindings, type DestinationStream, type Level, type Logger } from 'pino';
import { isError, redact } from '../../../lib/redact/redact.js';
import { redactText } from '../../../lib/redact/redact-text.js';

export type { Logger } from 'pino';

/** What may wait for a slow reader of standard output; lines beyond are dropped, so that logging never stops the gateway. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;

/** A write costs as much as a line does, so lines wait for each other, but not for long. */
const TOGETHER_BYTES = 8 * 1024;
const FLUSH_EVERY_MS = 100;

export interface LoggerOptions {
  level: Level | 'silent';
  /** Standard output by default, as containers expect. A line is JSON, so it is never taken for the address of the gateway. */
  destination?: DestinationStream;
}

/**
 * Writes one JSON object a line: `level` (a word), `time` (ISO 8601, UTC), `msg`, and the fields given, all of it without secrets
 * and personal data (see `redact`). Errors belong into the field `err`, or stand alone: `logger.error(error)`.
 */
export function createLogger({ level, destination }: LoggerOptions): Logger {
  const logger = pino(
    {
      level,
      // The process id and the host's name are the container runtime's to add.
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: label => ({ level: label }) },
      // The error has been serialised by then; pino's own serialiser would take the plain object for an error once more.
      serializers: { err: (error: unknown) => error },
      hooks: {
        logMethod(args: unknown[], method) {
          const { fields, message } = readArguments(args);
          if (message === undefined) method.call(this, fields);
          else method.call(this, fields, '%s', message);
        },
      },
    },
    // Whole lines are written in the background, some of them together, and at the exit of the process; a process that is killed may
    // lose the last ones.
    destination ??
      pino.destination({
        ...{ dest: 1, sync: false, maxLength: MAX_WAITING_BYTES },
        ...{ minLength: TOGETHER_BYTES, periodicFlush: FLUSH_EVERY_MS },
      }),
  );
  return redactBindings(logger);
}

/**
 * Writes a line of fields that are JSON and redacted already, `"a":1,"b":"c"`, or null where the level is not logged. For the one line
 * that every request has: the ordinary way, which takes anything and looks into all of it, costs a tenth of a request.
 */
export function writerOfLines(logger: Logger, level: Level): ((fields: string) => void) | null {
  if (!logger.isLevelEnabled(level)) return null;
  const stream = (logger as unknown as Record<symbol, DestinationStream>)[pino.symbols.streamSym];
  return fields => stream?.write(`{"level":"${level}","time":"${now()}",${fields}}\n`);
}

const shown = { ms: NaN, time: '' };

/** The time of now, which several lines of a busy process share. */
function now(): string {
  const ms = Date.now();
  if (ms !== shown.ms) {
    shown.ms = ms;
    shown.time = new Date(ms).toISOString();
  }
  return shown.time;
}

/** The forms that pino allows: (message, ...values), (fields, message?, ...values), (error, message?, ...values). */
function readArguments([first, ...rest]: unknown[]): { fields: object; message: string | undefined } {
  if (typeof first !== 'object' || first === null) return { fields: {}, message: readMessage([first, ...rest]) };
  const redacted = redact(first);
  const message = readMessage(rest);
  // An array, a date or bytes have no names that could become fields of the line.
  if (typeof redacted !== 'object' || redacted === null || Array.isArray(redacted)) {
    return { fields: { value: redacted }, message };
  }
  return { fields: isError(first) ? { err: redacted } : redacted, message };
}

/** Values are redacted by themselves, for the names of their fields, and once more in the sentence that they make together. */
function readMessage(parts: unknown[]): string | undefined {
  if (parts.length === 0 || parts[0] === undefined) return undefined;
  return redactText(format(...parts.map(redact)));
}

/** Fields that a child logger adds to all its lines do not come through `logMethod`. Children inherit these two methods. */
function redactBindings(logger: Logger): Logger {
  const methods = Object.getPrototypeOf(logger) as Logger;
  return Object.assign(logger, {
    child(this: Logger, bindings: Bindings, options?: Parameters<Logger['child']>[1]) {
      return methods.child.call(this, redact(bindings) as Bindings, options);
    },
    setBindings(this: Logger, bindings: Bindings) {
      methods.setBindings.call(this, redact(bindings) as Bindings);
    },
  });
}
