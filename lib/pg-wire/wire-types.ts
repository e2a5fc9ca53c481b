import pg from 'pg';

/** Makes a value of the text of a column. */
export type Parse = (text: string) => unknown;

/**
 * The form in which values arrive: exact, without `Date` objects, and ready to be sent. Arrays of these types likewise.
 */
const PARSERS: Readonly<Record<number, Parse>> = {
  20: BigInt, // int8
  1082: asIs, // date: YYYY-MM-DD
  1083: asIs, // time
  1114: localTime, // timestamp
  1184: instant, // timestamptz
  1186: asIs, // interval
  1700: asIs, // numeric: every digit counts
};

const ARRAYS: Readonly<Record<number, number>> = {
  1016: 20,
  1182: 1082,
  1183: 1083,
  1115: 1114,
  1185: 1184,
  1187: 1186,
  1231: 1700,
};

const parsers = new Map<number, Parse>(Object.entries(PARSERS).map(([oid, parse]) => [Number(oid), parse]));
for (const [arrayOid, oid] of Object.entries(ARRAYS)) {
  const parse = PARSERS[oid] ?? asIs;
  parsers.set(Number(arrayOid), text => entriesOf(text).map(entry => (entry === null ? null : parse(entry))));
}

/** The parser with which `pg` leaves a text as it is. */
const TEXT = pg.types.getTypeParser(pg.types.builtins.TEXT) as Parse;
const parseInstant = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ) as (text: string) => Date | number;

/** Returns what makes a value of a column's text, or null where the text is the value. */
export function parserOf(oid: number): Parse | null {
  const parse = parsers.get(oid) ?? (pg.types.getTypeParser(oid) as Parse);
  return parse === asIs || parse === TEXT ? null : parse;
}

const INT8S: ReadonlySet<number> = new Set([20, 1016]);

/** Like `parserOf`, with int8 as text, which MikroORM makes numbers of by the type of the property. */
export function parserWithTextOfInt8(oid: number): Parse | null {
  return INT8S.has(oid) ? (pg.types.getTypeParser(oid) as Parse) : parserOf(oid);
}

/** The entries of a flat array. Texts of these types hold neither commas nor quotes. */
function entriesOf(text: string): (string | null)[] {
  if (text === '{}') return [];
  return text
    .slice(1, -1)
    .split(',')
    .map(entry => (entry === 'NULL' ? null : entry.replaceAll('"', '')));
}

function asIs(text: string): string {
  return text;
}

/** '2026-01-31 23:59:59.25' becomes '2026-01-31T23:59:59': local time, without a zone and without fractions. */
function localTime(text: string): string {
  return text[10] === ' ' ? `${text.slice(0, 10)}T${text.slice(11, 19)}` : text;
}

/** '2026-01-31 23:59:59.25+00' becomes '2026-01-31T23:59:59.250Z'. */
function instant(text: string): string {
  if (text[10] === ' ' && text.endsWith('+00')) {
    const fraction = text.slice(20, -3).slice(0, 3).padEnd(3, '0');
    return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction}Z`;
  }
  // Another zone than UTC (a connection pooler that drops our settings), another era, or infinity.
  const parsed = parseInstant(text);
  return parsed instanceof Date ? parsed.toISOString() : text;
}
