import { afterAll, expect, test } from '@jest/globals';
import { startTestGateway } from '../../../test/support/gateway.js';
import { servedBy } from '../../../test/support/served.js';
import { COMMANDS, EVENT_TYPES } from '../src/ui/codes.js';

const gateway = await startTestGateway();
afterAll(() => gateway.stop());
const events = await servedBy(gateway).events();
const codesOf = (inWords: readonly (readonly [code: string, words: string])[]) => inWords.map(([code]) => code);

test('the filter of deliveries offers every type of events, and no other', () => {
  expect(codesOf(EVENT_TYPES).toSorted()).toEqual(events.map(({ type }) => type).toSorted());
});

test('the filter of changes offers every command that has events', () => {
  const offered = new Set(codesOf(COMMANDS));
  expect(events.map(({ action }) => action).filter(action => !offered.has(action))).toEqual([]);
});
