import path from 'node:path';
import { NOT_RUN } from './not-run.js';
import type { AggregatedResult, Reporter, Test, TestResult } from '@jest/reporters';

type AssertionResult = TestResult['testResults'][number];

const SLOWEST = 10;
/** A run says something at least this often. */
const SILENT_MS = 9000;
/** An ordinary test that runs so long waits for something that does not come, or should be a test of another lane. */
const LONG_MS = 20_000;
const TAKES_LONG = /\.(process|browser|docs)\.test\.ts$/;
const SKIPPED = new Set(['pending', 'skipped', 'todo', 'disabled']);

/**
 * Says beside Jest's own reporter what runs when nothing ends for a while and which test runs too long, and at the end
 * which files were slow, which tests were not run and why, how each failed test is run alone, and how many passed,
 * failed and were skipped. A test that is skipped without a reason fails the run.
 */
export default class RunReporter implements Reporter {
  private readonly running = new Map<string, number>();
  /** The test that each file runs now. */
  private readonly tests = new Map<string, { readonly name: string; readonly since: number; isTold: boolean }>();
  private saidAt = performance.now();
  private timer: NodeJS.Timeout | undefined;
  private readonly unexplained: string[] = [];

  onRunStart(): void {
    this.timer = setInterval(() => this.look(), 1000).unref();
  }

  onTestFileStart({ path: file }: Test): void {
    this.running.set(file, performance.now());
  }

  onTestCaseStart({ path: file }: Test, started: Parameters<NonNullable<Reporter['onTestCaseStart']>>[1]): void {
    this.tests.set(file, { name: nameOf(file, started), since: performance.now(), isTold: false });
  }

  onTestCaseResult({ path: file }: Test): void {
    this.tests.delete(file);
  }

  onTestFileResult({ path: file }: Test): void {
    this.running.delete(file);
    this.tests.delete(file);
    this.saidAt = performance.now();
  }

  onRunComplete(_: unknown, { testResults, numPassedTests, numFailedTests, ...more }: AggregatedResult): void {
    clearInterval(this.timer);
    this.tellSlowest(testResults);
    const skipped = this.tellSkipped(testResults);
    for (const result of testResults) this.tellFailed(result);
    // A file that cannot even be loaded counts as one failure.
    const failed = numFailedTests + more.numRuntimeErrorTestSuites;
    say(`${numPassedTests} passed, ${failed} failed, ${skipped} skipped`);
  }

  getLastError(): Error | undefined {
    if (this.unexplained.length === 0) return undefined;
    return new Error(`Skipped without a reason: ${this.unexplained.join(', ')}. Give one by test/support/unless.ts.`);
  }

  private look(): void {
    const now = performance.now();
    this.sayWhatRuns(now);
    for (const [file, test] of this.tests) {
      if (test.isTold || now - test.since < LONG_MS || TAKES_LONG.test(file)) continue;
      test.isTold = true;
      say(`HANGS? ${test.name} (${seconds(now - test.since)})`);
    }
  }

  private sayWhatRuns(now: number): void {
    if (now - this.saidAt < SILENT_MS) return;
    this.saidAt = now;
    const files = Array.from(this.running, ([file, since]) => `${short(file)} (${seconds(now - since)})`);
    if (files.length > 0) say(`running: ${files.join(', ')}`);
  }

  private tellSlowest(results: readonly TestResult[]): void {
    const slowest = results.toSorted((one, other) => timeOf(other) - timeOf(one)).slice(0, SLOWEST);
    if (results.length === 1) return;
    say('\nThe slowest files:');
    for (const result of slowest) say(`  ${seconds(timeOf(result))} ${short(result.testFilePath)}`);
  }

  private tellSkipped(results: readonly TestResult[]): number {
    const names = new Map<string, string[]>();
    for (const { testFilePath, testResults } of results) {
      for (const test of testResults.filter(({ status }) => SKIPPED.has(status))) {
        const name = nameOf(testFilePath, test);
        const told = test.ancestorTitles.find(group => group.startsWith(NOT_RUN))?.slice(NOT_RUN.length);
        if (told === undefined && !isSelection()) this.unexplained.push(name);
        if (told !== undefined) names.set(told, [...(names.get(told) ?? []), name]);
      }
    }
    for (const [reason, tests] of names) say(`SKIPPED ${tests.length}: ${reason}\n  ${tests.join('\n  ')}`);
    return [...names.values()].flat().length + this.unexplained.length;
  }

  private tellFailed({ testFilePath, testResults, testExecError }: TestResult): void {
    const file = short(testFilePath);
    if (testExecError) say(`FAILED ${file}\n  alone: npm test -- ${file}`);
    for (const { status, title, ...test } of testResults) {
      if (status !== 'failed') continue;
      say(`FAILED ${nameOf(testFilePath, { title, ...test })}`);
      say(`  alone: npm test -- ${file} -t '${escaped(title)}'`);
    }
  }
}

/** With `-t` tests are left out on purpose. */
function isSelection(): boolean {
  return process.argv.some(argument => /^(-t|--testNamePattern)/.test(argument));
}

function nameOf(file: string, { ancestorTitles, title }: Pick<AssertionResult, 'ancestorTitles' | 'title'>): string {
  return [short(file), ...ancestorTitles.filter(group => !group.startsWith(NOT_RUN)), title].join(' > ');
}

/** A title as a pattern of `-t`, in single quotes of a shell. */
function escaped(title: string): string {
  return title.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll("'", '.');
}

function timeOf({ perfStats: { start, end } }: TestResult): number {
  return end - start;
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

function short(file: string): string {
  return path.relative(process.cwd(), file);
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
