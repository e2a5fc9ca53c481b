import { statementOf } from '../../../lib/pg-wire/statement.js';
import type { StatementSender } from '../../platform/database/transaction.js';
import type { FieldProblem } from '../../shared/errors.js';

// With a slash, since short names such as EST mean one zone to Node and another to PostgreSQL.
const ZONE_NAME = /^(UTC|(?!SystemV)[A-Z][A-Za-z_]+(\/[A-Za-z0-9_+-]+){1,2})$/;
/** The form of `isTimeZone`, for a person. */
export const TIME_ZONE_FORM = 'an IANA time zone, such as America/New_York or UTC';
/** In lower case, as the case means nothing and there are a few hundred then. Asking costs some microseconds. */
const knownZones = new Set<string>();

/** True for a name that is a zone to Node. The database, which computes local times, may lack it: see `TimeZones`. */
export function isTimeZone(name: string): boolean {
  if (!ZONE_NAME.test(name)) return false;
  if (knownZones.has(name.toLowerCase())) return true;
  try {
    Intl.DateTimeFormat('en', { timeZone: name });
  } catch {
    return false;
  }
  knownZones.add(name.toLowerCase());
  return true;
}

// A view of PostgreSQL, which is no entity.
const NAMES = statementOf('SELECT lower(name) FROM pg_timezone_names');
/** The server of the database may be updated while we run. Reading its zones takes it some tenths of a second. */
const READ_AGAIN_MS = 60_000;

/** The time zones of the database, which has them of another release than Node. */
export class TimeZones {
  private names: ReadonlySet<string> = new Set();
  private readMs = Number.NEGATIVE_INFINITY;

  /** Finds the problems of each of the names, which are zones to Node: none for those that the database knows too. */
  async problems(asking: StatementSender, zones: readonly (string | undefined)[]): Promise<FieldProblem[][]> {
    const isUnknown = (zone: string | undefined): boolean => zone !== undefined && !this.names.has(zone.toLowerCase());
    if (zones.some(isUnknown) && performance.now() - this.readMs > READ_AGAIN_MS) {
      const rows = await asking.query<[name: string]>(NAMES, []);
      this.names = new Set(rows.map(([name]) => name));
      this.readMs = performance.now();
    }
    return zones.map(zone => (isUnknown(zone) ? [UNKNOWN_ZONE] : []));
  }
}

const UNKNOWN_ZONE: FieldProblem = {
  pointer: '/timeZone',
  code: 'time_zone',
  detail: `The database does not know this time zone. Use the present name of ${TIME_ZONE_FORM}.`,
};
