import type { ShownKind } from './canaries.js';
import { isGood, type Exchange } from './house.js';
import type { Place } from './places.js';
import { cvvsIn, type Hit, type Search } from './search.js';

/** How much of a place's text is told on both sides of a leak. */
const CONTEXT_BYTES = 60;

/** What a place has that nobody may find there, a line for each: what, where it was sent, and where it is now. */
export function leaksIn(search: Search, { name, bytes, isText }: Place, mayShow: readonly ShownKind[] = []): string[] {
  const line = (what: string, offset: number) =>
    `${what} is in ${name} at ${offset}: ${bytes.toString('latin1', Math.max(0, offset - CONTEXT_BYTES), offset + CONTEXT_BYTES)}`;
  const hidden = search.in(bytes).filter(hit => !(mayShow as readonly string[]).includes(showableOf(hit)));
  return [
    ...hidden.map(({ needle: { canary, form }, offset }) =>
      line(`The ${canary.kind} of ${canary.sentBy}, as ${form},`, offset),
    ),
    ...(isText ? cvvsIn(bytes.toString('latin1')).map(offset => line('A CVV', offset)) : []),
  ];
}

/**
 * What an answer tells, headers and body: a refusal may tell nothing, whatever a good answer to the same request may.
 */
export function leaksInAnswer(search: Search, exchange: Exchange): string[] {
  return leaksIn(search, answerOf(exchange), isGood(exchange.answer) ? exchange.mayShow : []);
}

/** What good answers did show, of what they might. */
export function shownIn(search: Search, exchange: Exchange): string[] {
  return isGood(exchange.answer) ? search.in(answerOf(exchange).bytes).map(showableOf) : [];
}

function showableOf({ needle: { canary } }: Hit): string {
  return `${canary.subject} ${canary.kind}`;
}

function answerOf({ asking, answer }: Exchange): Place {
  // A length may be any number, also that of a CVV.
  const { 'content-length': _length, ...headers } = answer.headers;
  const bytes = Buffer.from(`${JSON.stringify(headers)}\n${answer.text}`);
  return { name: `the answer to ${asking.method ?? 'GET'} ${asking.path}`, bytes, isText: true };
}
