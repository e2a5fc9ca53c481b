import type { VersionCondition } from '../../shared/version.js';

/** The description of the field in the schema. */
export const VERSION = 'The number of times that the record was written, to be sent as `expectedVersion`.';

/** The description of the field in the schema. */
export const UPDATED_AT = 'The time of the last change that `version` counts.';

/** The field of inputs of changes that may expect a version, as the schema describes it. */
export const EXPECTED_VERSION = {
  nullable: true,
  description: 'The `version` that the record must have, or the change is refused.',
};

/** The field `expectedVersion` as services take it. */
export function expecting(version: number | null | undefined): Required<VersionCondition> {
  return { versions: version == null ? null : [version] };
}
