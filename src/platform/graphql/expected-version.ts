import { Field, Int } from 'type-graphql';
import type { VersionCondition } from '../../shared/version.js';

/** The description of the field in the schema. */
export const VERSION = 'The number of times that the record was written, to be sent as `expectedVersion`.';

/** The description of the field in the schema. */
export const UPDATED_AT = 'The time of the last change that `version` counts.';

/** Declares the field `expectedVersion` of the input of a change. */
export function ExpectedVersion(): PropertyDecorator {
  return Field(() => Int, {
    nullable: true,
    description: 'The `version` that the record must have, or the change is refused.',
  });
}

/** The field `expectedVersion` as services take it. */
export function expecting(version: number | null | undefined): Required<VersionCondition> {
  return { versions: version == null ? null : [version] };
}
