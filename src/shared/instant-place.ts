import { utcInstantOf } from './calendar.js';
import { UUID_TEXT } from './ids.js';
import { positionOf } from './page.js';

/** Where a record stands in a list by time and id. */
export interface InstantPlace {
  /** Such as `2026-03-31T18:05:00.000Z`. */
  readonly at: string;
  /** A UUID. */
  readonly id: string;
}

const PLACE = /^(\S{24}) ([0-9a-f-]{36})$/;
const FORM = {
  test: (position: string) => {
    const [, at = '', id = ''] = PLACE.exec(position) ?? [];
    return utcInstantOf(at) !== null && UUID_TEXT.test(id);
  },
};

/** The place that a cursor of such a list names. Throws `InvalidInput`. */
export function instantPlaceOf(cursor: string, pointer: string): InstantPlace {
  const [, at = '', id = ''] = PLACE.exec(positionOf(cursor, FORM, pointer)) ?? [];
  return { at, id };
}

/** The position of a place, of which a cursor is made. */
export function positionAt({ at, id }: InstantPlace): string {
  return `${at} ${id}`;
}
