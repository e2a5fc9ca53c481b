import { expect, test } from '@jest/globals';
import { aTaxForm, LONG_ADDRESS, taxFormPdf } from '../../../../test/statement/pdf/contents.js';
import { read } from '../../../../lib/typeset/test/reading.js';

test('a Form 1099-INT has the payer, the recipient and the year, and is Copy B', async () => {
  const { texts } = await read(taxFormPdf(aTaxForm()));
  for (const part of [
    'CORRECTED (if checked)',
    'OMB No. 1545-0112',
    '1099-INT',
    '(Rev. January 2024)',
    'For calendar year',
    '2026',
    'Interest',
    'Income',
    "PAYER'S TIN",
    '01-7654321',
    "RECIPIENT'S TIN",
    '***-**-4417',
    "Payer's RTN (optional)",
    'FATCA filing',
    'Copy B',
    'For Recipient',
    'First Harbor Bank',
    '400 Quay Street',
    '+1 207 555 0142',
    'Marisol Whitcombe',
    '12 Lantern Hill Road, Apartment 4B',
    'Brunswick, ME 04011',
    'Account number (see instructions)',
    '•••• 7731',
    '(keep for your records)',
    'Department of the Treasury - Internal Revenue Service',
    'This is important tax',
    'furnished to the IRS',
  ]) {
    expect(texts[0]).toContain(part);
  }
});

test('every line of a long address is there, and stays in its box', async () => {
  const form = aTaxForm();
  const { addressLines, owners } = LONG_ADDRESS;
  const [name] = owners as [string];
  const { pages } = await read(
    taxFormPdf({
      ...form,
      payer: { ...form.payer, name, addressLines: [...addressLines, 'Fifth line', 'Sixth line'] },
      recipient: { ...form.recipient, name, addressLines },
    }),
  );
  const left = pages[0]!.filter(({ x }) => x < 200);
  for (const [from, to, ...beginnings] of [
    [
      "PAYER'S name",
      "PAYER'S TIN",
      name,
      'Residential',
      'Staircase',
      'Care of',
      'Llanfair',
      'Fifth',
      'Sixth',
      '+1 207',
    ],
    ['Street address', 'City or town', 'Residential', 'Staircase', 'Care of'],
    ['City or town', 'Account number', 'Llanfair'],
  ] as const) {
    const [top, bottom] = [from, to].map(caption => left.find(({ text }) => text.startsWith(caption))!.y);
    for (const beginning of beginnings) {
      const lines = left.filter(({ text, y }) => text.startsWith(beginning) && y < top! && y > bottom! + 5);
      expect([beginning, lines.length]).toEqual([beginning, 1]);
      expect(lines[0]!.x + lines[0]!.width).toBeLessThan(272);
    }
  }
});

test('each of the boxes 1 to 17 stands under its number, and an empty one has its heading all the same', async () => {
  const amounts = [1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 17] as const;
  const boxes = {
    ...Object.fromEntries(amounts.map(box => [box, `${box}001.25`])),
    7: 'Canada',
    14: '912828ZZ7',
    15: 'ME',
    16: '77-123',
  };
  const { texts, pages } = await read(taxFormPdf(aTaxForm({ boxes })));
  for (const box of amounts) {
    const [value] = pages[0]!.filter(({ text }) => text === `${box},001.25`);
    const number = pages[0]!.find(({ text }) => text === String(box));
    expect(value!.y).toBeLessThan(number!.y);
    expect(number!.y - value!.y).toBeLessThan(28);
    expect(value!.x).toBeGreaterThan(number!.x);
  }
  for (const text of ['Canada', '912828ZZ7', 'ME', '77-123']) expect(texts[0]).toContain(text);
  const empty = await read(taxFormPdf(aTaxForm({ boxes: {} })));
  for (const heading of ['Interest income', 'Early withdrawal penalty', 'Market discount', 'State tax withheld']) {
    expect(empty.texts[0]).toContain(heading);
  }
});

test('the second page has the instructions for each box', async () => {
  const { texts } = await read(taxFormPdf(aTaxForm()));
  expect(texts[1]).toContain('Instructions for Recipient');
  for (let box = 1; box <= 14; box += 1) expect(texts[1]).toContain(`Box ${box}.`);
  for (const term of [
    'Boxes 15-17.',
    'Nominees.',
    'Future developments.',
    'Free File Program.',
    'FATCA filing requirement.',
  ]) {
    expect(texts[1]).toContain(term);
  }
});

test('a corrected form is marked, and names the one that it replaces', async () => {
  const correctedStatementId = '7b1d2f30-0000-4000-8000-00000000abcd';
  const marks = async (form: Parameters<typeof taxFormPdf>[0]): Promise<number> =>
    (await read(taxFormPdf(form))).pages[0]!.filter(({ text }) => text === 'X').length;
  expect(await marks(aTaxForm())).toBe(0);
  expect(await marks(aTaxForm({ correctedStatementId }))).toBe(1);
  const { text, info } = await read(taxFormPdf(aTaxForm({ correctedStatementId })));
  expect(text).toContain(`replaces document ${correctedStatementId}`);
  expect(info['Title']).toBe('Corrected Form 1099-INT for 2026 from First Harbor Bank');
});

test.each([
  ['AMOUNT', 'An amount was not correct.'],
  ['RECIPIENT', 'The name or the taxpayer identification number of the recipient was not correct.'],
  ['ADDRESS', 'The address of the recipient was not correct.'],
  ['PAYER', 'The name or the taxpayer identification number of the payer was not correct.'],
  // Forms of earlier versions say no kind, and correct amounts.
  [undefined, 'An amount was not correct.'],
] as const)('a correction of the kind %s says what was wrong', async (correctionKind, says) => {
  const correctedStatementId = '7b1d2f30-0000-4000-8000-00000000abcd';
  const { text } = await read(
    taxFormPdf(aTaxForm({ correctedStatementId, ...(correctionKind && { correctionKind }) })),
  );
  expect(text.replaceAll(/\s+/g, ' ')).toContain(says);
});

test('a form below the threshold says so, and one in another currency says that', async () => {
  const plain = (await read(taxFormPdf(aTaxForm()))).text;
  expect(plain).not.toContain('threshold');
  expect(plain).toContain('$ 1,234.56');
  const small = await read(taxFormPdf(aTaxForm({ irsReportable: false, boxes: { 1: '3.12' } })));
  expect(small.text).toContain('below the filing threshold of 10.00 dollars');
  const dinars = await read(taxFormPdf(aTaxForm({ irsReportable: false, boxes: { 1: '3.125' }, currency: 'KWD' })));
  expect(dinars.text).toContain('KWD 3.125');
  expect(dinars.text).toContain('in KWD, the currency of the account');
  // The threshold is one of dollars.
  expect(dinars.text).not.toContain('threshold');
});

test('the same form has the same bytes', () => {
  expect(taxFormPdf(aTaxForm()).equals(taxFormPdf(aTaxForm()))).toBe(true);
});
