// A day of an account is from its first midnight to the first midnight of the next day, in the account's time zone.
// All SQL that reads or cuts by days comes from here, so that each instant is in one day, and in the same one
// everywhere.

/**
 * The instant at which a day begins. The arguments are SQL: a date, and the name of a time zone.
 *
 * Where clocks go back over midnight (Havana), they show it twice, and PostgreSQL means the second one. The clock that
 * was right three hours before shows the first one, unless it is changed in these hours and never gets there. Where
 * there is no midnight, the day begins when the clocks go forward.
 */
export function startOfDay(day: string, zone: string): string {
  const midnight = `(${day})::timestamp`;
  const plain = `${midnight} AT TIME ZONE ${zone}`;
  const first = `((${midnight} - interval '3 hours') AT TIME ZONE ${zone} + interval '3 hours')`;
  return `(CASE WHEN ${first} AT TIME ZONE ${zone} >= ${midnight} THEN least(${plain}, ${first}) ELSE ${plain} END)`;
}

/** The day, a date, that an instant is in. The arguments are SQL. Far from midnight the clock is enough. */
export function dayOf(instant: string, zone: string): string {
  const local = `(${instant} AT TIME ZONE ${zone})`;
  const day = `${local}::date`;
  return `(CASE WHEN ${local}::time BETWEEN '03:00' AND '20:59' THEN ${day}
    WHEN ${instant} >= ${startOfDay(`${day} + 1`, zone)} THEN ${day} + 1
    WHEN ${instant} < ${startOfDay(day, zone)} THEN ${day} - 1 ELSE ${day} END)`;
}
