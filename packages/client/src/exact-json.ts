// Amounts are numbers in the JSON of REST, with up to 18 digits before the point. `JSON.parse` would round them to 53
// bits, and its access to the source text is not in every engine that this runs in (Hermes, older browsers). So
// amounts, which the generated lists name, are put into quotes before the text is parsed, and out of them after it was
// written. Each text of the JSON is read as a whole, so what stands inside of a text is never touched.
import { AMOUNTS_READ, AMOUNTS_SENT } from './generated/rest.js';

const READ = /* @__PURE__ */ new Set(AMOUNTS_READ.split(' '));
const SENT = /* @__PURE__ */ new Set(AMOUNTS_SENT.split(' '));

/** Parses an answer: amounts become texts with the digits that they came with. */
export function readJson(text: string): unknown {
  const quoted = text.replaceAll(
    /"((?:[^"\\]|\\.)*)"(?:(\s*:\s*)(-?\d[\d.eE+-]*))?/g,
    (whole, name: string, colon: string, number: string | undefined) =>
      number !== undefined && READ.has(name) ? `"${name}"${colon}"${number}"` : whole,
  );
  return JSON.parse(quoted);
}

/** Writes a body of REST: amounts, which are texts, become numbers. */
export function writeJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /"((?:[^"\\]|\\.)*)"(?::"(-?\d+(?:\.\d+)?)")?/g,
    (whole, name: string, number: string | undefined) =>
      number !== undefined && SENT.has(name) ? `"${name}":${number}` : whole,
  );
}
