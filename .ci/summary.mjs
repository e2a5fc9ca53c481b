// The last lines of `.ci/run`: the tests that were not run, by their reason and name, and how many passed, failed and
// were skipped. Takes Jest's report. Fails if a test was skipped without a reason: see test/support/unless.ts.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

const NOT_RUN = 'not run: ';
const NO_REASON = 'no reason is given, so give one by test/support/unless.ts';
const SKIPPED = ['pending', 'skipped', 'todo', 'disabled'];

const report = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
/** The names of skipped tests by their reasons. */
const skipped = new Map();
for (const { name: file, assertionResults } of report.testResults) {
  for (const { status, ancestorTitles, title } of assertionResults) {
    if (!SKIPPED.includes(status)) continue;
    const groups = ancestorTitles.filter(group => !group.startsWith(NOT_RUN));
    const told = ancestorTitles.find(group => group.startsWith(NOT_RUN));
    const reason = told?.slice(NOT_RUN.length) ?? NO_REASON;
    const name = [relative(process.cwd(), file), ...groups, title].join(' > ');
    skipped.set(reason, [...(skipped.get(reason) ?? []), name]);
  }
}
let count = 0;
for (const [reason, names] of skipped) {
  count += names.length;
  console.log(`SKIPPED ${names.length}: ${reason}`);
  for (const name of names) console.log(`  ${name}`);
}

// A test file that cannot even be loaded counts as one failure.
const failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
console.log(`${report.numPassedTests} passed, ${failed} failed, ${count} skipped`);
if (skipped.has(NO_REASON)) process.exitCode = 1;
