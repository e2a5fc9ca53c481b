import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { create, type Font } from 'fontkit';

/** A font file that has been read, and what it can show. */
export interface Face {
  readonly font: Font;
  /** From the units of the font to thousandths of an em, the units of a PDF. */
  readonly scale: number;
  readonly codePoints: ReadonlySet<number>;
}

export type Weight = 'regular' | 'semibold';
/** The language whose shapes the ideographs of a text have: Chinese, Japanese and Korean share their code points. */
export type Ideographs = 'chinese' | 'japanese' | 'korean';

const { resolve } = createRequire(import.meta.url);

// All are open fonts (SIL OFL 1.1) from npm packages: the first two have to be installed, the others are used if they
// are. The package of the Chinese one exports its module only.
const FILES = {
  regular: () => resolve('@expo-google-fonts/source-sans-3/400Regular/SourceSans3_400Regular.ttf'),
  semibold: () => resolve('@expo-google-fonts/source-sans-3/600SemiBold/SourceSans3_600SemiBold.ttf'),
  hebrew: () => notoSans('hebrew'),
  arabic: () => resolve('@fontsource/ibm-plex-sans-arabic/files/ibm-plex-sans-arabic-arabic-400-normal.woff'),
  armenian: () => notoSans('armenian'),
  devanagari: () => notoSans('devanagari'),
  ethiopic: () => notoSans('ethiopic'),
  georgian: () => notoSans('georgian'),
  thai: () => notoSans('thai'),
  japanese: () => resolve('@expo-google-fonts/biz-udpgothic/400Regular/BIZUDPGothic_400Regular.ttf'),
  korean: () => resolve('@expo-google-fonts/nanum-gothic/400Regular/NanumGothic_400Regular.ttf'),
  chinese: () => join(dirname(resolve('@embedpdf/fonts-sc')), '../fonts/NotoSansHans-Regular.otf'),
} satisfies Record<string, () => string>;

function notoSans(script: string): string {
  return resolve(`@fontsource/noto-sans-${script}/files/noto-sans-${script}-${script}-400-normal.woff`);
}

type FileName = keyof typeof FILES;

// The scripts of which each font has all. Others are looked for in the fonts for ideographs.
const OF_SCRIPTS: readonly (readonly [script: RegExp, name: FileName])[] = [
  [/\p{Script_Extensions=Hebrew}/u, 'hebrew'],
  [/\p{Script_Extensions=Arabic}/u, 'arabic'],
  [/\p{Script=Armenian}/u, 'armenian'],
  [/\p{Script_Extensions=Devanagari}/u, 'devanagari'],
  [/\p{Script=Ethiopic}/u, 'ethiopic'],
  [/\p{Script=Georgian}/u, 'georgian'],
  [/\p{Script=Thai}/u, 'thai'],
];

const BY_PREFERENCE: Readonly<Record<Ideographs, readonly FileName[]>> = {
  chinese: ['chinese', 'japanese', 'korean'],
  japanese: ['japanese', 'chinese', 'korean'],
  korean: ['korean', 'chinese', 'japanese'],
};

// Read once for each thread, when first needed: the fonts for ideographs are large, and most documents do without. Null
// where the package is not installed.
const faces = new Map<FileName, Face | null>();

/** The face that texts of a weight are set in. It has Latin, Greek and Cyrillic with all their diacritics. */
export function textFace(weight: Weight): Face {
  const face = faceOf(weight);
  if (!face) throw new Error('The package @expo-google-fonts/source-sans-3 is not installed.');
  return face;
}

/** The first face that has a character, or null when no installed font has it. Other scripts come in one weight. */
export function faceFor(codePoint: number, weight: Weight, ideographs: Ideographs): Face | null {
  const text = textFace(weight);
  if (text.codePoints.has(codePoint)) return text;
  for (const name of candidates(codePoint, ideographs)) {
    const face = faceOf(name);
    if (face?.codePoints.has(codePoint)) return face;
  }
  return null;
}

/** Kana make a text Japanese and Hangul makes it Korean; other ideographs are set as Chinese ones. */
export function ideographsOf(text: string): Ideographs {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return 'japanese';
  return /\p{Script=Hangul}/u.test(text) ? 'korean' : 'chinese';
}

function candidates(codePoint: number, ideographs: Ideographs): readonly FileName[] {
  const character = String.fromCodePoint(codePoint);
  const [, name] = OF_SCRIPTS.find(([script]) => script.test(character)) ?? [];
  return name ? [name] : BY_PREFERENCE[ideographs];
}

function faceOf(name: FileName): Face | null {
  let face = faces.get(name);
  if (face === undefined) {
    face = readFace(name);
    faces.set(name, face);
  }
  return face;
}

function readFace(name: FileName): Face | null {
  let file: string;
  try {
    file = FILES[name]();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return null;
    throw error;
  }
  const font = create(readFileSync(file)) as Font;
  return { font, scale: 1000 / font.unitsPerEm, codePoints: new Set(font.characterSet) };
}
