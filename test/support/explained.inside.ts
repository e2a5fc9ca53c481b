import type { Statement } from '../../lib/pg-wire/statement.js';
import type { Gateway } from '../../src/app/gateway.js';

interface SentStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

const METHODS = ['query', 'queryTogether'] as const;

let sent: SentStatement[] = [];

/** Notes the statements of the gateway that the pattern fits, until `taken`. */
export function watch({ container: { database } }: Gateway, pattern: string): void {
  const wanted = new RegExp(pattern, 'i');
  sent = [];
  for (const method of METHODS) {
    const query = database[method].bind(database);
    database[method] = <Row extends unknown[]>(...args: [statement: Statement, values?: readonly unknown[]]) => {
      const [{ text }, values = []] = args;
      if (wanted.test(text)) sent.push({ text, values: [...values] });
      return query<Row>(args[0], values);
    };
  }
}

/** What was noted. Nothing is noted from now on. */
export function taken({ container: { database } }: Gateway): SentStatement[] {
  for (const method of METHODS) Reflect.deleteProperty(database, method);
  return sent;
}
