import { bai2 } from './bai2.js';
import { camt053 } from './camt053.js';
import { csv } from './csv.js';
import { ofx102, ofx220 } from './ofx.js';
import type { AccountReport } from './report.js';
import { windows1252Bytes } from './texts.js';

/** A form in which a report can be written. */
export interface ReportFormat {
  /** With the parameters that tell it from others. */
  readonly contentType: string;
  /** The end of a file's name, with its point. */
  readonly extension: string;
  /** The text in parts. The same report gives the same text. */
  readonly write: (report: AccountReport) => AsyncGenerator<string>;
  readonly encode: (text: string) => Buffer;
}

const utf8 = (text: string): Buffer => Buffer.from(text);

/** The formats by their names. */
export const REPORT_FORMATS = {
  csv: {
    contentType: 'text/csv; charset=utf-8; header=present',
    extension: '.csv',
    write: csv,
    encode: utf8,
  },
  // No type is registered for it, and browsers accept `application/xml`, so that would come to who wanted a PDF.
  'camt.053': {
    contentType: 'application/x-camt.053+xml; charset=utf-8',
    extension: '.camt053.xml',
    write: camt053,
    encode: utf8,
  },
  // OFX 2.2, 2.1 names the type. The version is ours, since both versions have it.
  ofx: {
    contentType: 'application/x-ofx; version=2.2; charset=utf-8',
    extension: '.ofx',
    write: ofx220,
    encode: utf8,
  },
  ofx1: {
    contentType: 'application/x-ofx; version=1.0.2; charset=windows-1252',
    extension: '.ofx',
    write: ofx102,
    encode: windows1252Bytes,
  },
  bai2: {
    contentType: 'application/x-bai2; charset=us-ascii',
    extension: '.bai2',
    write: bai2,
    encode: utf8,
  },
} as const satisfies Record<string, ReportFormat>;

export type ReportFormatName = keyof typeof REPORT_FORMATS;

export const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/**
 * The bytes of a report in parts. `bom` puts a byte order mark before them, by which spreadsheets know UTF-8: only CSV
 * may have one.
 */
export async function* bytesOf(
  { write, encode }: ReportFormat,
  report: AccountReport,
  bom: boolean,
): AsyncGenerator<Buffer> {
  if (bom) yield BYTE_ORDER_MARK;
  for await (const text of write(report)) if (text !== '') yield encode(text);
}
