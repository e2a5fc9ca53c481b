import { afterAll, beforeAll, test } from '@jest/globals';
import fc from 'fast-check';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { rounds } from '../support/rounds.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

/** A document, and bytes of it from one to another: as a range says it, with both ends, with one, or from the end. */
const documents = fc.uint8Array({ minLength: 1, maxLength: 3000 }).chain(bytes =>
  fc.record({
    pdf: fc.constant(Buffer.from(bytes)),
    ends: fc.array(fc.nat({ max: bytes.length - 1 }), { minLength: 2, maxLength: 2 }),
    beyond: fc.nat({ max: 5000 }),
  }),
);

test('any range of any document is that slice of it', async () => {
  await fc.assert(
    fc.asyncProperty(documents, async ({ pdf, ends, beyond }) => {
      const [first, last] = ends.sort((a, b) => a - b) as [number, number];
      const { caller, path } = await gateway.given.statement({ pdf });
      const slices: readonly [range: string, slice: Buffer][] = [
        [`${first}-${last}`, pdf.subarray(first, last + 1)],
        [`${first}-`, pdf.subarray(first)],
        [`${first}-${pdf.length + beyond}`, pdf.subarray(first)],
        [`-${pdf.length - first}`, pdf.subarray(first)],
        [`-${pdf.length + beyond}`, pdf],
      ];
      const parts = await Promise.all(
        slices.map(async ([range, slice]) => {
          const { status, headers, bytes } = await gateway.as(caller).rest.get(path, { range: `bytes=${range}` });
          const start = slice === pdf ? 0 : first;
          const said = `bytes ${start}-${start + slice.length - 1}/${pdf.length}`;
          return status === 206 && headers['content-range'] === said && bytes.equals(slice);
        }),
      );
      return parts.every(Boolean);
    }),
    { numRuns: rounds(60) },
  );
});
