/**
 * Marks that are written above, below or through a letter, and points for vowels. Vowels of Indic scripts are letters.
 */
const MARKS =
  '\\u0300-\\u036f\\u0483-\\u0487\\u0591-\\u05bd\\u05bf-\\u05c7\\u0610-\\u061a\\u064b-\\u065f\\u0670\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe20-\\ufe2f';
/** White space, hyphens and dashes, apostrophes, quotation marks, stops, and characters that do not show. */
const SEPARATORS =
  '\\u0009-\\u000d\\u0020\\u0085\\u1680\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u2064\\u3000\\ufeff\\u00ad\\u002d\\u2010-\\u201f\\u2212\\u2032\\u0027\\u0022\\u0060\\u00b4\\u02b9-\\u02bf\\u02c8\\u05be\\u05f3\\u055a\\u002e\\u00b7\\u30fb';

/**
 * A name as SQL as people are looked for: fully case-folded, without marks, apostrophes, hyphens and spaces, so that
 * what a form, a letter or a keyboard makes of a name is found. Letters with a stroke are those without (as in the
 * default order of Unicode, UTS 10). Which letters beyond ASCII have a case is a matter of the locale of the database.
 */
export function nameKey(name: string): string {
  const plain = `regexp_replace(lower(normalize(${name}, NFKD)), '[${MARKS}${SEPARATORS}]', '', 'g')`;
  const spelled = LIGATURES.reduce((text, [letter, letters]) => `replace(${text}, '${letter}', '${letters}')`, plain);
  return `translate(${spelled}, 'øłđðħŧıς', 'olddhtiσ')`;
}
const LIGATURES = [
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['þ', 'th'],
] as const;
