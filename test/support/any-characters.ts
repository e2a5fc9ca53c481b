import fc from 'fast-check';

const FIRST_SURROGATE = 0xd800;
const SURROGATES = 0x800;

/**
 * Any character but surrogates, which are halves of one. With the way back fast-check can also make texts such as
 * `__proto__` of them.
 */
const character = fc.nat(0x10ffff - SURROGATES).map(characterAt, placeOf);

/** Texts of any characters of Unicode. The unit `binary` of fast-check has the same, and takes a second to begin. */
export function anyCharacters(maxLength?: number): fc.Arbitrary<string> {
  return fc.string({ unit: character, ...(maxLength !== undefined && { maxLength }) });
}

function characterAt(place: number): string {
  return String.fromCodePoint(place < FIRST_SURROGATE ? place : place + SURROGATES);
}

function placeOf(text: unknown): number {
  const [point, ...more] = Array.from(text as string, each => each.codePointAt(0) as number);
  if (point === undefined || more.length > 0) throw new Error('This is not one character.');
  return point < FIRST_SURROGATE ? point : point - SURROGATES;
}
