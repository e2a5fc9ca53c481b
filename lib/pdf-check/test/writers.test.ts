import { expect, test } from '@jest/globals';
import PDFDocument from 'pdfkit';
import { deflateSync } from 'node:zlib';
import { checkPdf } from '../pdf-check.js';
import { Budget } from '../problem.js';

/** A document of pdfkit, with pages of its own. */
async function drawn(
  draw: (document: PDFKit.PDFDocument) => void,
  options: PDFKit.PDFDocumentOptions,
): Promise<Buffer> {
  const document = new PDFDocument(options);
  draw(document);
  document.end();
  const parts: Buffer[] = [];
  for await (const part of document) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

/** A white picture in colours (PNG). */
function picture(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    // Nobody asks for the checksum.
    return Buffer.concat([length, body, Buffer.alloc(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const rows = Buffer.concat(
    Array.from({ length: height }, () => Buffer.concat([Buffer.of(0), Buffer.alloc(width * 3, 255)])),
  );
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

test.each([
  ['compressed', {}],
  ['plain', { compress: false }],
])('a document of many pages is taken, %s', async (_how, options) => {
  const bytes = await drawn(document => {
    for (let page = 0; page < 80; page++) document.text(`Page ${page}`).addPage();
  }, options);
  expect(checkPdf(bytes)).toBeNull();
});

test('a page that was scanned in colours is taken, and counted as what it expands to', async () => {
  const [width, height] = [1240, 1754];
  const bytes = await drawn(document => document.image(picture(width, height), 0, 0), {});
  const budget = new Budget();
  expect(checkPdf(bytes, budget)).toBeNull();
  expect(budget.expandedBytes).toBeGreaterThanOrEqual(width * height * 3);
});
