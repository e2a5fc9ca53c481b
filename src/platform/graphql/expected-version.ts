import type { VersionCondition } from '../../shared/version.js';

/** How the schema describes the field. */
export const VERSION = 'How often the record was written: send it as `expectedVersion`.';

/** How the schema describes the argument of changes that may expect a version. */
export const EXPECTED_VERSION = {
  nullable: true,
  description: 'Refuses the change of another `version`.',
};

/** The argument `expectedVersion` as services take it. */
export function expecting(version: number | null): Required<VersionCondition> {
  return { versions: version === null ? null : [version] };
}
