/**
 * People, texts and places that programs get wrong. Tests of imports, of both APIs, of documents, of search and of the
 * console take them from here. What cannot be seen is written as an escape.
 */

/** A name as it is sent. `script` is the code of ISO 15924 of what a font must have for it. */
export interface AwkwardName {
  readonly what: string;
  readonly script: string;
  readonly first?: string;
  readonly middle?: string;
  readonly last: string;
}

/** Names that people have, and that must come in, be found, and come out as they are. */
export const NAMES: readonly AwkwardName[] = [
  { what: 'an apostrophe of a keyboard', script: 'Latn', first: 'Maeve', last: "O'Hara" },
  { what: 'an apostrophe of a typesetter', script: 'Latn', first: 'Maeve', last: 'O\u2019Hara' },
  { what: 'an okina', script: 'Latn', first: 'Kalani', last: 'Ka\u02bbahumanu' },
  { what: 'a sharp s', script: 'Latn', first: 'Jörg', last: 'Strauß' },
  { what: 'decomposed accents', script: 'Latn', first: 'Zoe\u0308', last: 'Nun\u0303ez' },
  { what: 'stacked accents', script: 'Latn', first: 'Thảo', last: 'Nguyễn' },
  { what: 'a dotless i', script: 'Latn', first: 'Işıl', last: 'Yıldırım' },
  { what: 'a ligature', script: 'Latn', first: 'Stefan', last: 'Griffin\ufb03' },
  { what: 'a digraph of one code point', script: 'Latn', first: '\u01c4ana', last: 'Lju\u01c6a' },
  { what: 'one letter', script: 'Latn', first: 'U', last: 'O' },
  { what: 'a suffix and a comma', script: 'Latn', first: 'Rufus', middle: 'J.', last: "d'Arcy-St. Cloud, Jr." },
  { what: 'spaces inside', script: 'Latn', first: 'María de los Ángeles', last: 'de la Cruz y Ponce' },
  { what: 'a no-break space', script: 'Latn', first: 'Ana', last: 'van\u00a0Dijk' },
  { what: 'the word null', script: 'Latn', first: 'Christopher', last: 'Null' },
  { what: 'a word of JavaScript', script: 'Latn', first: 'constructor', last: '__proto__ Smith' },
  { what: 'markup', script: 'Latn', first: 'A & B', last: '<b>Smith</b>' },
  { what: 'a formula of a spreadsheet', script: 'Latn', first: '=1+1', last: '+Smith' },
  { what: 'digits', script: 'Latn', first: 'X Æ 12', last: '7th' },
  { what: 'one name', script: 'Latn', last: 'Sukarno' },
  { what: 'Greek with a final sigma', script: 'Grek', first: 'Οδυσσέας', last: 'Παπαδόπουλος' },
  { what: 'Cyrillic', script: 'Cyrl', first: 'Фёдор', middle: 'Михайлович', last: 'Щербаков' },
  { what: 'Armenian', script: 'Armn', first: 'Անահիտ', last: 'Պետրոսյան' },
  { what: 'Georgian', script: 'Geor', first: 'ნინო', last: 'ბერიძე' },
  { what: 'Hebrew with points', script: 'Hebr', first: 'שָׂרָה', last: 'כהן' },
  { what: 'Arabic', script: 'Arab', first: 'محمد', last: 'عبد الله' },
  { what: 'Persian with a joiner', script: 'Arab', first: 'علی\u200cرضا', last: 'می\u200cخواهد' },
  { what: 'Devanagari with a conjunct', script: 'Deva', first: 'लक्ष्मी', last: 'त्रिपाठी' },
  { what: 'Devanagari with a joiner', script: 'Deva', first: 'क्\u200dष', last: 'शर्मा' },
  { what: 'Bengali with a joiner', script: 'Beng', first: 'র\u200d্যাব', last: 'চট্টোপাধ্যায়' },
  { what: 'Sinhala with a joiner', script: 'Sinh', first: 'ප්\u200dරියා', last: 'පෙරේරා' },
  { what: 'Tamil, one name', script: 'Taml', last: 'முருகன்' },
  { what: 'Thai', script: 'Thai', first: 'สมชาย', last: 'ศรีสุข' },
  { what: 'Khmer', script: 'Khmr', first: 'សុខា', last: 'ចាន់' },
  { what: 'Burmese, one name', script: 'Mymr', last: 'အောင်ဆန်းစုကြည်' },
  { what: 'Tibetan', script: 'Tibt', first: 'བསྟན་འཛིན', last: 'རྒྱ་མཚོ' },
  { what: 'Ethiopic', script: 'Ethi', first: 'አበበ', last: 'ቢቂላ' },
  { what: 'Cherokee', script: 'Cher', last: 'ᏍᏏᏉᏯ' },
  { what: 'Mongolian with a vowel separator', script: 'Mong', last: 'ᠬᠠᠨ\u180eᠠ' },
  { what: 'Hangul', script: 'Kore', first: '영희', last: '김' },
  { what: 'Hangul as conjoining letters', script: 'Kore', first: '\u110b\u1167\u11bc', last: '\u1100\u1175\u11b7' },
  { what: 'Han', script: 'Hans', first: '伟', last: '王' },
  { what: 'Han beyond the first plane', script: 'Hant', first: '𠮷', last: '𡈽' },
  { what: 'Han with an ideographic variation', script: 'Jpan', first: '太郎', last: '葛\u{e0100}城' },
  { what: 'kana with a long mark', script: 'Jpan', first: 'ユーリ', last: 'さとう' },
  { what: 'Adlam', script: 'Adlm', first: '𞤀𞤣𞤢𞤥', last: '𞤄𞤢𞤪𞤪𞤭' },
  { what: 'Gothic', script: 'Goth', last: '𐌰𐍄𐍄𐌰' },
];

/** Texts of spaces, which count as empty where a text may be absent. */
export const SPACES: readonly string[] = [' ', '\u00a0', '\u3000'];

/** Characters that show nothing, or that change what others show. A text of them alone is no name. */
export const SHOW_NOTHING: readonly { readonly what: string; readonly text: string }[] = [
  { what: 'a space', text: ' ' },
  { what: 'a no-break space', text: '\u00a0' },
  { what: 'an ideographic space', text: '\u3000' },
  { what: 'a zero width space', text: '\u200b' },
  { what: 'a word joiner', text: '\u2060' },
  { what: 'a byte order mark', text: '\ufeff' },
  { what: 'a soft hyphen', text: '\u00ad' },
  { what: 'a combining grapheme joiner', text: '\u034f' },
  { what: 'a zero width joiner', text: '\u200d' },
  { what: 'a zero width non-joiner', text: '\u200c' },
  { what: 'a left-to-right mark', text: '\u200e' },
  { what: 'an Arabic letter mark', text: '\u061c' },
  { what: 'a right-to-left override', text: '\u202e' },
  { what: 'an isolate', text: '\u2066\u2069' },
  { what: 'an invisible times', text: '\u2062' },
  { what: 'a Hangul filler', text: '\u3164' },
  { what: 'a halfwidth Hangul filler', text: '\uffa0' },
  { what: 'a Hangul initial and vowel filler', text: '\u115f\u1160' },
  { what: 'an inherent vowel of Khmer', text: '\u17b4' },
  { what: 'a blank of Braille', text: '\u2800' },
  { what: 'a null note', text: '\u{1d159}' },
  { what: 'a filler of Khitan', text: '\u{16fe4}' },
  { what: 'an object replacement character', text: '\ufffc' },
  { what: 'a variation selector', text: '\ufe0f' },
  { what: 'an ideographic variation selector', text: '\u{e0100}' },
  { what: 'a free variation selector of Mongolian', text: '\u180b' },
  { what: 'tag characters', text: '\u{e0041}\u{e007f}' },
  { what: 'a combining mark', text: '\u0301' },
  { what: 'a private character', text: '\ue000' },
  { what: 'a private character beyond the first plane', text: '\u{f0000}' },
  { what: 'an unassigned character', text: '\u0378' },
  { what: 'a noncharacter', text: '\ufffe' },
  { what: 'an annotation anchor', text: '\ufff9\ufffb' },
  { what: 'a musical format character', text: '\u{1d173}' },
  { what: 'a line separator', text: '\u2028' },
  { what: 'a control character', text: '\u0085' },
];

/**
 * Texts in which a character that shows nothing hides among others that show. They are refused wherever texts come in.
 */
export const HIDING: readonly { readonly what: string; readonly text: string }[] = [
  { what: 'a zero width space', text: 'Ash\u200bdown' },
  { what: 'a soft hyphen', text: 'Ash\u00addown' },
  { what: 'a right-to-left override', text: 'Ash\u202enwod' },
  { what: 'a left-to-right mark', text: 'Ashdown\u200e' },
  { what: 'a byte order mark', text: '\ufeffAshdown' },
  { what: 'a Hangul filler', text: 'Ashdown\u3164' },
  { what: 'tag characters', text: 'Ashdown\u{e0041}' },
  { what: 'two joiners in a row', text: 'Ash\u200d\u200ddown' },
  { what: 'a joiner at the beginning', text: '\u200dAshdown' },
  { what: 'a row of variation selectors', text: 'A\u{e0100}\u{e0101}shdown' },
  { what: 'a private character', text: 'Ash\ue000down' },
  { what: 'an unassigned character', text: 'Ash\u0378down' },
  { what: 'a line feed', text: 'Ash\ndown' },
  { what: 'U+0000', text: 'Ash\u0000down' },
];

/** Organisations, which have one name, and the relationship of a beneficiary that is one. */
export const ORGANIZATIONS = [
  { relationship: 'CHARITY', name: 'Médecins du Lac e.V.' },
  { relationship: 'TRUST', name: 'The Ashdown Family Trust, dated 3 May 2011' },
  { relationship: 'ESTATE', name: "Estate of Maeve O'Hara" },
] as const;

/** Addresses as people of these countries write them on the contract's fields. */
export const ADDRESSES = [
  {
    line1: '14 Lantern Street',
    line2: 'Apt. 3',
    city: 'Port Ambergill',
    state: 'OR',
    postalCode: '97000',
    country: 'US',
  },
  { line1: 'Königstraße 7', city: 'Straßfurt', postalCode: '39418', country: 'DE' },
  { line1: '10 Quay Row', city: 'LONDON', postalCode: 'EC1A 1BB', country: 'GB' },
  { line1: '千代田1-1', city: '千代田区', state: '東京都', postalCode: '100-8111', country: 'JP' },
  {
    line1: 'Rua das Flores, 12',
    line2: 'Apto 4',
    city: 'São Paulo',
    state: 'SP',
    postalCode: '01234-567',
    country: 'BR',
  },
  { line1: '12 bis, rue de l’Église', city: 'PARIS CEDEX 05', postalCode: '75231', country: 'FR' },
  { line1: 'Flat 25, 12/F, Acacia Building', line2: '150 Kennedy Road', city: 'Wan Chai', country: 'HK' },
  { line1: 'P.O. Box 1234', city: 'Dubai', country: 'AE' },
  {
    line1: 'ул. Ленина, д. 5',
    line2: 'кв. 7',
    city: 'Псков',
    state: 'Псковская область',
    postalCode: '180000',
    country: 'RU',
  },
  { line1: 'Csillag utca 3.', city: 'Budapest', postalCode: '1014', country: 'HU' },
] as const;

/** Zones with a rule of their own, and what is odd about them. */
export const ZONES = {
  /** The day begins twice where clocks go back from 01:00 to 00:00 (1 November 2026). */
  beginsTwice: 'America/Havana',
  /** Clocks go forward at midnight, so that a day has no 00:00 (the last Sunday of March). */
  noMidnight: 'Asia/Beirut',
  /** A whole day is missing (30 December 2011). */
  missingDay: 'Pacific/Apia',
  /** Clocks change by half an hour. */
  halfHourChange: 'Australia/Lord_Howe',
  farEast: 'Pacific/Kiritimati',
  farWest: 'Pacific/Niue',
  quarterHours: 'Asia/Kathmandu',
  /** Known to Node.js and to no PostgreSQL. */
  unknownToDatabase: 'US/Pacific-New',
} as const;

/** Currencies by the digits of their amounts, those that are new and old, and codes that are no currency. */
export const CURRENCIES = {
  noDigits: ['JPY', 'KRW', 'CLP', 'ISK', 'VND', 'XOF'],
  threeDigits: ['KWD', 'BHD', 'JOD', 'OMR', 'TND', 'IQD', 'LYD'],
  fourDigits: ['CLF', 'UYW'],
  today: ['VED', 'VES', 'XCG', 'SLE', 'MRU', 'STN'],
  /** A new account is not opened in these. */
  gone: ['HRK', 'CUC', 'ANG', 'SLL', 'ZWL', 'DEM', 'BGN'],
  none: ['XTS', 'XXX', 'usd', 'US', '', 'ZZZ'],
} as const;

/** Days at the edges of calendars and of forms. */
export const DAYS = {
  leap: '2024-02-29',
  notLeap: ['2023-02-29', '1900-02-29', '2026-02-30', '2026-04-31', '2026-13-01', '2026-00-10'],
  firstOfYear: '2026-01-01',
  lastOfYear: '2025-12-31',
  /** ISO week 53 of the year before. */
  weekOfOtherYear: '2027-01-01',
} as const;
