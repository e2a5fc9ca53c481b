import { Option } from 'commander';
import { BANK_ID, BANK_ID_FORM } from '../shared/ids.js';
import { UsageError } from '../shared/usage-error.js';
import { periodOf, type IssueKind } from '../bank/statement/issue/period.js';

/** What settings mean to a command, for its help. `.env.example` says more. */
export const SETTINGS = {
  HOST: 'the address to listen on, such as 0.0.0.0 for every address of the machine',
  PORT: 'the port to listen on; 0 picks a free one',
  WORKERS: 'how many processes serve behind the port, or auto for one a CPU; default 1',
  DATABASE_URL: 'postgres://user:password@host:5432/database; without it the embedded PostgreSQL in DATA_DIR',
  DATABASE_PASSWORD: 'the password as it is, where DATABASE_URL has none',
  DATABASE_DIRECT_URL: 'the same database without a pooler of transactions, if DATABASE_URL goes through one',
  DATA_DIR: 'the folder of the embedded PostgreSQL and of the keys for development',
  FIELD_KEYS: 'the keys that encrypt personal data, newest first: id:base64,id:base64; without it the keys in DATA_DIR',
  CARD_KEYS: 'the keys that encrypt card numbers, in the same form; without it those of FIELD_KEYS',
  KEY_COMMAND: 'a command that unwraps FIELD_KEYS: it gets the value as its input, and prints the keys',
  LOG_LEVEL: 'the level of the log on standard output: debug, info, warn, error or silent',
  AUTH_ISSUER: 'with AUTH_AUDIENCE and AUTH_JWKS_URL: who signs access tokens; without them the development issuer',
} as const;

/** The named ones. */
export function settings(...names: readonly (keyof typeof SETTINGS)[]): Record<string, string> {
  return Object.fromEntries(names.map(name => [name, SETTINGS[name]]));
}

/** For programs that read the result. */
export function jsonOption(): Option {
  return new Option('--json', 'print the result as one JSON object, and an error as {"error":{"code","message"}}');
}

export function programOption(description: string): Option {
  return new Option('--program <program>', `${description}, such as demo`).argParser(readProgram);
}

/** A program as access tokens name it. */
function readProgram(text: string): string {
  if (!BANK_ID.test(text)) throw new UsageError(`--program must be ${BANK_ID_FORM}.`);
  return text;
}

/** An option that is required: the period of a kind. */
export function periodOption(flags: string, description: string, kind: IssueKind): Option {
  const option = new Option(flags, description).makeOptionMandatory();
  return option.argParser((text: string) => {
    if (periodOf(kind, text) !== null) return text;
    throw new UsageError(`${option.long} must be ${description.replace(/^the (?:tax )?(\w+),/, 'a $1')}.`);
  });
}
