/** `npm test` takes a tenth of the rounds of a test with random values, `npm run test:all` all of them. */
const PART = process.env['TEST_LANES'] === 'all' ? 1 : 0.1;

/** How many rounds a test with random values takes in this run. */
export function rounds(all: number): number {
  return Math.ceil(all * PART);
}
