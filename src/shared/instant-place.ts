import { utcInstantOf } from './calendar.js';
import { UUID_TEXT } from './ids.js';
import { positionOf } from './page.js';

/** Where a record stands in a list by time and id. */
export interface InstantPlace {
  /** Such as `2026-03-31T18:05:00.000Z`. */
  readonly at: string;
  /** A UUID, or an id of the bank's. */
  readonly id: string;
}

const PLACE = /^(\S{24}) (\S{1,64})$/;

/** The place that a cursor of such a list names, whose ids have a form. Throws `InvalidInput`. */
export function instantPlaceOf(cursor: string, pointer: string, idForm = UUID_TEXT): InstantPlace {
  const placeIn = (position: string): InstantPlace => {
    const [, at = '', id = ''] = PLACE.exec(position) ?? [];
    return { at, id };
  };
  const form = {
    test: (position: string) => {
      const { at, id } = placeIn(position);
      return utcInstantOf(at) !== null && idForm.test(id);
    },
  };
  return placeIn(positionOf(cursor, form, pointer));
}

/** The position of a place, of which a cursor is made. */
export function positionAt({ at, id }: InstantPlace): string {
  return `${at} ${id}`;
}
