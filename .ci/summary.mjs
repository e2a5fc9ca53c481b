// The last lines of `.ci/run`: the tests that were not run, by their reason and name, those that failed, and how many
// passed, failed and were skipped. Takes Jest's report. Fails if a test was skipped without a reason: see
// test/support/unless.ts.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const NOT_RUN = 'not run: ';
const NO_REASON = 'no reason is given, so give one by test/support/unless.ts';
const LINES_OF_A_FAILURE = 6;
const SKIPPED = ['pending', 'skipped', 'todo', 'disabled'];

const report = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
/** The names of skipped tests by their reasons. */
const skipped = new Map();
/** The first lines of what went wrong, by the names of the tests. */
const failures = new Map();
for (const { name: file, assertionResults, message } of report.testResults) {
  const path = relative(process.cwd(), file);
  if (assertionResults.length === 0 && message) failures.set(path, beginning(message));
  for (const { status, ancestorTitles, title, failureMessages } of assertionResults) {
    const groups = ancestorTitles.filter(group => !group.startsWith(NOT_RUN));
    const name = [path, ...groups, title].join(' > ');
    if (status === 'failed') failures.set(name, beginning(failureMessages[0] ?? ''));
    if (!SKIPPED.includes(status)) continue;
    const told = ancestorTitles.find(group => group.startsWith(NOT_RUN));
    const reason = told?.slice(NOT_RUN.length) ?? NO_REASON;
    skipped.set(reason, [...(skipped.get(reason) ?? []), name]);
  }
}
let count = 0;
for (const [reason, names] of skipped) {
  count += names.length;
  console.log(`SKIPPED ${names.length}: ${reason}`);
  for (const name of names) console.log(`  ${name}`);
}

for (const [name, message] of failures) console.log(`FAILED ${name}\n  ${message.join('\n  ')}`);

// A test file that cannot even be loaded counts as one failure.
const failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
console.log(`${report.numPassedTests} passed, ${failed} failed, ${count} skipped`);
if (skipped.has(NO_REASON)) process.exitCode = 1;

function beginning(message) {
  return stripVTControlCharacters(message)
    .split('\n')
    .filter(line => line.trim() !== '')
    .slice(0, LINES_OF_A_FAILURE);
}
