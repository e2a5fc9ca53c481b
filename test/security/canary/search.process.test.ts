import { describe, expect, test } from '@jest/globals';
import { CVV, Canaries, type Kind } from './canaries.js';
import type { Exchange } from './house.js';
import { leaksInAnswer } from './leaks.js';
import { Search, cvvsIn } from './search.js';

const canaries = new Canaries();

describe('what stands in a text is found, whoever wrote it in whatever form', () => {
  const { taxId, governmentId, email, phone, streets, birthDate } = canaries.person('stray', 'texts');
  const { number, pin } = canaries.card('stray', 'texts');
  const all = new Search(canaries.all);
  const kindsIn = (bytes: Buffer): Kind[] => [...new Set(all.in(bytes).map(({ needle }) => needle.canary.kind))];

  const values: readonly [Kind, string][] = [
    ...([
      ['taxId', taxId],
      ['taxId', taxId.replaceAll('-', '')],
      ['governmentId', governmentId],
    ] as [Kind, string][]),
    ...([
      ['cardNumber', number],
      ['cardNumber', number.replaceAll(/(\d{4})(?=\d)/g, '$1 ')],
      ['pin', pin],
    ] as [Kind, string][]),
    ...([
      ['email', email],
      ['phone', phone],
      ['phone', phone.replaceAll(/\D/g, '')],
      ['street', streets[2]],
    ] as [Kind, string][]),
    ['birthDate', birthDate],
  ];
  const forms: Record<string, (text: string) => Buffer> = {
    'as it is': text => Buffer.from(text),
    'in capitals': text => Buffer.from(text.replaceAll(/[a-z]/g, letter => letter.toUpperCase())),
    'in small letters': text => Buffer.from(text.replaceAll(/[A-Z]/g, letter => letter.toLowerCase())),
    'as a line of a log': text =>
      Buffer.from(`{"level":"info","msg":${JSON.stringify(text)},"requestId":"7c0d5b1e"}\n`),
    'as JSON in JSON': text => Buffer.from(JSON.stringify({ body: JSON.stringify({ a: text }) })),
    'as JSON with slashes escaped': text => Buffer.from(JSON.stringify([text]).replaceAll('/', '\\/')),
    'as JSON in ASCII, with capitals': text =>
      Buffer.from(
        JSON.stringify(text).replaceAll(
          /[^ -~]/g,
          character => `\\u00${Buffer.from(character, 'latin1').toString('hex').toUpperCase()}`,
        ),
      ),
    'in UTF-16': text => Buffer.from(`\uFEFF<a>${text}</a>`, 'utf16le'),
    'in UTF-16 the other way round': text => Buffer.from(`x${text}x`, 'utf16le').swap16(),
    'in base64': text => Buffer.from(btoa(latin(text))),
    'in base64 behind a letter': text => Buffer.from(btoa(latin(`x${text}y`))),
    'in base64 behind two letters': text => Buffer.from(btoa(latin(`xx${text}yy`))),
    'in base64 for addresses': text => Buffer.from(Buffer.from(`{"a":"${text}"}`).toString('base64url')),
    'in hexadecimal digits, as bytes are dumped': text => Buffer.from(`\\x00${Buffer.from(text).toString('hex')}00`),
    'in an address': text => Buffer.from(`/accounts?search=${encodeURIComponent(text)}&limit=10`),
    'in a form': text => Buffer.from(String(new URLSearchParams({ a: text, b: 'c' }))),
    'in the middle of random bytes': text =>
      Buffer.concat([Buffer.alloc(99_991, 'Ünkraut'), Buffer.from(text), Buffer.alloc(7, 255)]),
  };

  test.each(Object.keys(forms))('%s', form => {
    for (const [kind, value] of values) {
      const bytes = (forms[form] as (text: string) => Buffer)(value);
      expect([kind, value, kindsIn(bytes)]).toEqual([kind, value, expect.arrayContaining([kind])]);
    }
  });

  test('but masks, last digits and a canary cut short are no leak', () => {
    const masks = [taxId, number, governmentId].map(text => `*****${text.slice(-4)} ${text.slice(0, -1)}!`).join(' ');
    expect(all.in(Buffer.from(`${masks} ${email.slice(1)} ${phone.slice(5)}`))).toEqual([]);
  });

  test('also a CVV that stands alone, and not the same digits in something longer', () => {
    const alone = [`"cvv":"${CVV}"`, `"cvv":${CVV},`, `cvv: ${CVV}`, `\t${CVV}\n`, `cvv=${CVV}&`, `(${CVV})`];
    expect(alone.filter(text => cvvsIn(text).length !== 1)).toEqual([]);
    const longer = [`1${CVV}`, `${CVV}5`, `0.${CVV}`, `7c0d-${CVV}-4f0e`, `:3${CVV}/`, `a${CVV}`, `T10:00:00.${CVV}Z`];
    expect(longer.filter(text => cvvsIn(text).length !== 0)).toEqual([]);
  });
});

/** Its UTF-8 as the text that `btoa` takes. */
function latin(text: string): string {
  return Buffer.from(text).toString('latin1');
}

describe('an answer', () => {
  const beneficiary = canaries.person('beneficiary', 'an answer');
  const customer = canaries.person('customer', 'an answer');
  const all = new Search(canaries.all);
  const exchange = (status: number, body: object, headers: Record<string, string> = {}): Exchange => ({
    asking: { path: '/' },
    answer: {
      status,
      headers,
      text: JSON.stringify(body),
      body,
      bytes: Buffer.from(JSON.stringify(body)),
    },
    mayShow: ['beneficiary email', 'customer governmentId'],
  });
  const leaks = (...given: Parameters<typeof exchange>) => leaksInAnswer(all, exchange(...given)).length > 0;

  test('may show what its reader has a right to see', () => {
    expect(leaks(200, { email: beneficiary.email, governmentId: customer.governmentId })).toBe(false);
  });

  test.each<[string, Parameters<typeof exchange>]>([
    ['a tax id', [200, { taxId: beneficiary.taxId }]],
    ['the same of somebody else', [200, { email: customer.email }]],
    ['it in a refusal', [404, { email: beneficiary.email }]],
    ['it beside errors', [200, { data: { email: beneficiary.email }, errors: [{ message: 'x' }] }]],
    ['another in a header', [200, {}, { location: `/customers/${customer.taxId}` }]],
    ['a CVV', [201, { cvv: CVV }]],
  ])('leaks if it shows %s', (_what, given) => {
    expect(leaks(...given)).toBe(true);
  });
});
