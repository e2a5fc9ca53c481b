import { formatAddress } from 'localized-address-format';
import type { Address } from '../../person/person.entity.js';

const COUNTRIES = new Intl.DisplayNames('en', { type: 'region' });
/** The window of an envelope shows as many below the name. */
const MAX_LINES = 5;
/** Scripts whose countries write an address from the large to the small. */
const EAST_ASIAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/** Stands in no format of a country. */
const MARK = '\u00a7';

/** The place of an address, by the names of the package, which are those of Google's address data. */
type Place = Partial<Record<'administrativeArea' | 'locality' | 'postalCode', string>>;

/**
 * The lines of an address as on an envelope, in the order of its country and the script that it is written in. The
 * country stands last, in English, as the mail of the United States asks for; it is left out if it is the United
 * States.
 */
export function addressLines(address: Address): string[] {
  const { city, state, postalCode, country } = address;
  const script = EAST_ASIAN.test([address.line1, city].join('')) ? 'local' : 'latin';
  const place = {
    ...(state && { administrativeArea: state }),
    ...(city && { locality: city }),
    ...(postalCode && { postalCode }),
  };
  // A line for which a country has no place is on record all the same, and is not lost: Japan has its towns among the
  // lines.
  const has = (part: keyof Place): boolean =>
    formatAddress({ postalCountry: country, [part]: MARK }, script).some(line => line.includes(MARK));
  const hasState = has('administrativeArea');
  const others = [has('locality') ? null : city, has('postalCode') ? null : postalCode].filter(Boolean).join(' ');
  const streets = [address.line1, address.line2, address.line3, others].filter((line): line is string => Boolean(line));
  const lines = formatAddress({ postalCountry: country, ...place, addressLines: streets }, script).map(trimmed);
  const last = [hasState ? null : state, country === 'US' ? null : COUNTRIES.of(country)].filter(Boolean).join(', ');
  const all = [...lines, last].filter(line => line !== '');
  while (all.length > MAX_LINES) all.push(all.splice(-2).join(', '));
  return all;
}

/** A line without the marks that stand between parts of which one is absent. */
function trimmed(line: string): string {
  return line.replaceAll(/^[\s,،/-]+|[\s,،/-]+$/gu, '');
}
