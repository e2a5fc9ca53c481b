import fc from 'fast-check';

const FIRST_SURROGATE = 0xd800;
const SURROGATES = 0x800;

const character = fc.nat(0x10ffff - SURROGATES).map(characterAt, place => placeOf(String(place)));

/** Texts of any characters of Unicode. The unit `binary` of fast-check has the same, and takes a second to begin. */
export function anyCharacters(maxLength?: number): fc.Arbitrary<string> {
  return fc.string({ unit: character, ...(maxLength !== undefined && { maxLength }) });
}

/** Counts without surrogates, which are halves of characters. */
function characterAt(place: number): string {
  return String.fromCodePoint(place < FIRST_SURROGATE ? place : place + SURROGATES);
}

function placeOf(text: string): number {
  const point = text.codePointAt(0) ?? NaN;
  return point < FIRST_SURROGATE ? point : point - SURROGATES;
}
