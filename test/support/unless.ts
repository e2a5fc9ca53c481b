// The only place that may skip a test: the group's name tells the reason, and the reporter lists both.
/* oxlint-disable jest/no-disabled-tests, jest/expect-expect */
import { describe, test } from '@jest/globals';
import { NOT_RUN } from './not-run.js';

/** `test`, or what declares tests that are not run for this reason. */
export function testUnless(reason: string | null): typeof test {
  if (reason === null) return test;
  const skipped = (...declared: Parameters<typeof test>): void => skip(reason, () => test(...declared));
  const each =
    (...table: Parameters<typeof test.each>) =>
    (...declared: Parameters<ReturnType<typeof test.each>>): void =>
      skip(reason, () => test.each(...table)(...declared));
  return Object.assign(skipped, { each }) as unknown as typeof test;
}

/** Declares a group of tests, which are not run where there is a reason. */
export function describeUnless(reason: string | null, name: string, declare: () => void): void {
  if (reason === null) describe(name, declare);
  else skip(reason, () => describe(name, declare));
}

/** Why a test cannot run without a program; null where there is one. */
export function unlessInstalled(program: string, found: string | null | undefined): string | null {
  return found ? null : `${program} is not installed`;
}

function skip(reason: string, declare: () => void): void {
  describe.skip(`${NOT_RUN}${reason}`, declare);
}
