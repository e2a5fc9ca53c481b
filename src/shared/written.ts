/**
 * Which texts people can read. Every text of people that a client, a file or a form sends is checked by these patterns,
 * and the OpenAPI document shows the same ones: regular expressions of ECMAScript with the flag `u`.
 *
 * A character that shows nothing hides what a text is: two names that look alike are not equal, and a name of such
 * characters alone prints as nothing. Refused are control and format characters, private and unassigned ones, fillers
 * and tags. Joiners and variation selectors are part of the spelling of Persian, Indic, Mongolian and Japanese names,
 * and of emoji: each stands directly after a character that shows, so a row of them cannot hide anything.
 */

/** The letters that show nothing: fillers of Hangul. */
const FILLERS = String.raw`\u115f\u1160\u3164\uffa0`;
/** Symbols and marks that show nothing: a null note, a filler of Khitan, what stands for an object. */
const BLANKS = String.raw`\u{1d159}\u{16fe4}\ufffc`;
/** Spaces, and the pattern of Braille without dots. */
const SPACE = String.raw`[\p{Zs}\u2800]`;
/** The marks that show nothing by themselves (Default_Ignorable_Code_Point). */
const SELECTORS = String.raw`\u034f\u180b-\u180d\u180f\ufe00-\ufe0f\u{e0100}-\u{e01ef}`;
/**
 * Format characters of Arabic and Syriac that show, such as the sign before a number (Prepended_Concatenation_Mark).
 */
const SHOWN_FORMATS = String.raw`\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2`;
const SHOWN = String.raw`(?:[^\p{C}\p{Z}\u2800\u17b4\u17b5${FILLERS}${BLANKS}${SELECTORS}]|[${SHOWN_FORMATS}])`;
/**
 * The characters that may follow a character that shows: a variation selector, and then a joiner or the vowel
 * separator.
 */
const AFTER = String.raw`[${SELECTORS}]?[\u180e\u200c\u200d]?`;
const READABLE = String.raw`(?:${SHOWN}${AFTER}|${SPACE})*`;
const SHOWING = String.raw`${READABLE}(?!\p{M})${SHOWN}${AFTER}${READABLE}`;
const LETTER_OR_DIGIT = String.raw`(?:[^\P{L}${FILLERS}]|\p{N})${AFTER}`;

/** A text in which nothing is hidden, and in which something shows; or an empty one. */
export const OPTIONAL_TEXT = `^(?:${SHOWING})?$`;
/** A text in which nothing is hidden, and in which something shows. */
export const SHOWING_TEXT = `^${SHOWING}$`;
/** A text in which nothing is hidden, and in which a letter or a digit shows, as in a name. */
export const NAMING_TEXT = `^${READABLE}${LETTER_OR_DIGIT}${READABLE}$`;

/** The number of characters (code points), as JSON Schema counts them. Counts no further than `max` + 1. */
export function charactersIn(text: string, max: number): number {
  if (text.length <= max && !BEYOND_FIRST_PLANE.test(text)) return text.length;
  if (text.length > 2 * max) return max + 1;
  return [...text].length;
}

const BEYOND_FIRST_PLANE = /[\ud800-\udbff]/;
