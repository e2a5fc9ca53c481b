import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { pages, samplesOf, type Sample } from './fences.js';
import { difference } from './promised.js';
import { makeCopy, Workplace } from './workplace.js';

const START_MS = 60_000;
/** A page that starts no gateway is read beside one that runs. */
const USUAL_START = 'npm start';

const all = await Promise.all((await pages()).map(async page => ({ page, samples: await samplesOf(page) })));

let copy: string;
beforeAll(async () => {
  copy = await makeCopy();
}, START_MS);
afterAll(() => rm(copy, { recursive: true, force: true }));

describe.each(all.filter(({ samples }) => samples.length > 0))('$page', ({ samples }) => {
  let workplace: Workplace;
  let missing: string | undefined;
  beforeAll(async () => {
    workplace = await Workplace.open(copy);
    if (!samples.some(({ marks }) => marks.serves)) await workplace.serve(USUAL_START);
  }, START_MS);
  afterAll(() => workplace.close());

  for (const sample of samples.filter(({ marks }) => marks.notRun === undefined)) {
    test(
      `${sample.place} does what it says`,
      async () => {
        for (const program of sample.marks.needs ?? []) {
          if (!(await workplace.has(program))) missing ??= program;
        }
        if (missing) {
          console.warn(`${sample.place} is skipped: ${missing} is not installed here.`);
          return;
        }
        expect(await tried(workplace, sample)).toBeNull();
      },
      START_MS,
    );
  }
});

/** Does what the sample says. Gives what is not as it promises. */
async function tried(workplace: Workplace, { language, text, answer, marks }: Sample): Promise<string | null> {
  if (language === 'graphql') {
    const received = await workplace.graphql(text);
    return answer && difference(answer, received);
  }
  if (marks.serves) {
    await workplace.serve(text);
    return null;
  }
  const { status, stdout, stderr } = await workplace.run(text);
  if (status !== (marks.exit ?? 0)) return `It ended with ${status}.\n${stdout}${stderr}`;
  return answer && difference(answer, stdout);
}
