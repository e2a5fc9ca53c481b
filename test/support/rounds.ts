/** `npm test` takes a tenth of the rounds of a test with random values, `npm run test:all` all of them. */
const PART = process.env['TEST_LANES'] === 'all' ? 1 : 0.1;

/** How many rounds a test with random values takes in this run, and at least those without which it says nothing. */
export function rounds(all: number, least = 1): number {
  return Math.max(least, Math.ceil(all * PART));
}
