import type { VersionCondition } from '../../shared/version.js';

/** How the schema describes the field. */
export const VERSION = 'How often the record was written, from 1: it is sent back as `expectedVersion`.';

/** How the schema describes the argument of changes that may expect a version. */
export const EXPECTED_VERSION = {
  nullable: true,
  description:
    'The `version` of the record that the change is meant for: if it has another one by now, the field is refused with `precondition_failed`, and nothing is changed. Any version when absent. A retry under an idempotency key gets the first response, whatever version it expects.',
};

/** The argument `expectedVersion` as services take it. */
export function expecting(version: number | null): Required<VersionCondition> {
  return { versions: version === null ? null : [version] };
}
