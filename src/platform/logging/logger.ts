import { format } from 'node:util';
import {
  pino,
  type Bindings,
  type DestinationStream,
  type Level,
  type Logger,
  type LoggerOptions as PinoOptions,
} from 'pino';
import { isError, redact } from '../../../lib/redact/redact.js';
import { redactText } from '../../../lib/redact/redact-text.js';

export type { Logger } from 'pino';

/**
 * The number of bytes that may wait for a slow reader of standard output. Further lines are dropped, so logging never
 * stops the gateway.
 */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;

/** A write costs as much as a line, so lines are written together, but soon. */
const TOGETHER_BYTES = 8 * 1024;
const FLUSH_EVERY_MS = 100;
/**
 * The number of bytes that a pipe takes in one piece (PIPE_BUF), so that lines of several processes do not get into one
 * another.
 */
const PIPE_BYTES = 4096;

/** Where the lines of each logger go, for `writerOfLines`. */
const destinations = new WeakMap<Logger, DestinationStream>();

export interface LoggerOptions {
  level: Level | 'silent';
  /** Standard output by default, as containers expect. */
  destination?: DestinationStream;
  /** True if other processes write to the same standard output. */
  isShared?: boolean;
}

/**
 * Writes one JSON object a line: `level` (a word), `time` (ISO 8601, UTC), `msg`, and the given fields, all without
 * secrets and personal data (see `redact`). Errors belong into the field `err`, or stand alone: `logger.error(error)`.
 */
export function createLogger({ level, destination, isShared = false }: LoggerOptions): Logger {
  // Whole lines are written in the background, several together, and at the exit of the process. A process that is
  // killed may lose the last ones.
  const lines =
    destination ??
    pino.destination({
      dest: 1,
      sync: false,
      maxLength: MAX_WAITING_BYTES,
      minLength: isShared ? PIPE_BYTES / 2 : TOGETHER_BYTES,
      ...(isShared && { maxWrite: PIPE_BYTES }),
      periodicFlush: FLUSH_EVERY_MS,
    });
  const options: PinoOptions = {
    level,
    // The container runtime adds the process id and the host's name.
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: label => ({ level: label }) },
    // The error is redacted by then. pino's own serialiser would treat the plain object as an error again.
    serializers: { err: (error: unknown) => error },
    hooks: {
      logMethod(args: unknown[], method) {
        const { fields, message } = readArguments(args);
        if (message === undefined) method.call(this, fields);
        else method.call(this, fields, '%s', message);
      },
    },
  };
  const logger = redactBindings(pino(options, lines));
  destinations.set(logger, lines);
  return logger;
}

/**
 * Writes lines of fields that are redacted JSON already, `"a":1,"b":"c"`; null where the level is not logged. For the
 * one line of every request: the ordinary way, which redacts any value, costs a tenth of a request.
 */
export function writerOfLines(logger: Logger, level: Level): ((fields: string) => void) | null {
  if (!logger.isLevelEnabled(level)) return null;
  const destination = destinations.get(logger);
  return fields => destination?.write(`{"level":"${level}","time":"${now()}",${fields}}\n`);
}

const shown = { ms: NaN, time: '' };

/** The present time, which several lines of a busy process share. */
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
  // The elements of an array have no names that could become fields of the line.
  if (typeof redacted !== 'object' || redacted === null || Array.isArray(redacted)) {
    return { fields: { value: redacted }, message };
  }
  return { fields: isError(first) ? { err: redacted } : redacted, message };
}

/** Values are redacted one by one, for the names of their fields, and again in the whole sentence. */
function readMessage(parts: unknown[]): string | undefined {
  if (parts.length === 0 || parts[0] === undefined) return undefined;
  return redactText(format(...parts.map(redact)));
}

/**
 * The bindings of a child logger do not pass `logMethod`, so these methods redact them. Children inherit the methods.
 */
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
