import type { AccountReport, ReportEntry } from './report.js';
import { distinctTexts, escaped, escapedInAscii, fittingId, inWindows1252, lineOf, type Spelling } from './texts.js';
import { ofxTimes, type OfxTime } from './times.js';
import { codesOf } from './transaction-codes.js';

/** The longest texts (A-22 is 22 characters). */
const MAX = { bank: 9, account: 22, organization: 32, name: 32, memo: 255 };

/** 1.0.2 does not know certificates of deposit. */
const ACCOUNT_TYPES = { CHECKING: 'CHECKING', SAVINGS: 'SAVINGS', MONEY_MARKET: 'MONEYMRKT', CD: 'CD' };

interface Dialect {
  readonly header: string;
  /** True if elements with a value have an end tag. In the SGML of OFX 1 only aggregates have one. */
  readonly closes: boolean;
  readonly knowsCd: boolean;
  readonly spell?: Spelling;
  readonly escape: (text: string) => string;
}

const SGML: Dialect = {
  header:
    'OFXHEADER:100\r\nDATA:OFXSGML\r\nVERSION:102\r\nSECURITY:NONE\r\nENCODING:USASCII\r\nCHARSET:1252\r\n' +
    'COMPRESSION:NONE\r\nOLDFILEUID:NONE\r\nNEWFILEUID:NONE\r\n\r\n',
  closes: false,
  knowsCd: false,
  spell: inWindows1252,
  escape: escaped,
};

const XML: Dialect = {
  header:
    '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\r\n' +
    '<?OFX OFXHEADER="200" VERSION="220" SECURITY="NONE" OLDFILEUID="NONE" NEWFILEUID="NONE"?>\r\n',
  closes: true,
  knowsCd: true,
  // Readers are about that take an XML without a header of OFX 1 for ASCII, and fail at the first other byte.
  escape: escapedInAscii,
};

/** OFX 1.0.2, as old programs read it. Write it in Windows-1252. */
export function ofx102(report: AccountReport): AsyncGenerator<string> {
  return ofx(report, SGML);
}

/** OFX 2.2, in the part of UTF-8 that is ASCII. */
export function ofx220(report: AccountReport): AsyncGenerator<string> {
  return ofx(report, XML);
}

async function* ofx(report: AccountReport, dialect: Dialect): AsyncGenerator<string> {
  const { bank, account, period, closingMinor, createdAt } = report;
  const element = elements(dialect);
  const timeOf = ofxTimes(account.timeZone);
  const bankId = fittingId(bank.id, MAX.bank);
  const type = account.type === 'CD' && !dialect.knowsCd ? 'SAVINGS' : ACCOUNT_TYPES[account.type];
  const status = `<STATUS>\r\n${element('CODE', '0')}${element('SEVERITY', 'INFO')}</STATUS>\r\n`;
  yield (
    `${dialect.header}<OFX>\r\n<SIGNONMSGSRSV1>\r\n<SONRS>\r\n${status}` +
    `${element('DTSERVER', `${createdAt.replace(/[-:TZ]/g, '')}[0:GMT]`)}${element('LANGUAGE', 'ENG')}` +
    `<FI>\r\n${element('ORG', bank.name, MAX.organization)}${element('FID', fittingId(bank.id, MAX.organization))}</FI>\r\n` +
    `</SONRS>\r\n</SIGNONMSGSRSV1>\r\n<BANKMSGSRSV1>\r\n<STMTTRNRS>\r\n${element('TRNUID', '0')}${status}` +
    `<STMTRS>\r\n${element('CURDEF', account.currency)}<BANKACCTFROM>\r\n${element('BANKID', bankId)}` +
    `${element('ACCTID', fittingId(account.id, MAX.account))}${element('ACCTTYPE', type)}</BANKACCTFROM>\r\n` +
    `<BANKTRANLIST>\r\n${element('DTSTART', timeOf(period.start))}${element('DTEND', timeOf(period.end))}`
  );
  for await (const entries of report.entries('ledger')) {
    yield entries.map(entry => transaction(entry, account.decimalOf, element, timeOf)).join('');
  }
  yield (
    `</BANKTRANLIST>\r\n<LEDGERBAL>\r\n${element('BALAMT', account.decimalOf(closingMinor))}` +
    `${element('DTASOF', timeOf(period.end))}</LEDGERBAL>\r\n</STMTRS>\r\n</STMTTRNRS>\r\n</BANKMSGSRSV1>\r\n</OFX>\r\n`
  );
}

type Element = (name: string, value: string, maxLength?: number) => string;

/** One line for each element, since some readers of OFX 1 read by line. No element where there is no value. */
function elements({ closes, spell, escape }: Dialect): Element {
  return (name, value, maxLength) => {
    const text = maxLength === undefined ? value : lineOf(value, maxLength, spell);
    return text === '' ? '' : `<${name}>${escape(text)}${closes ? `</${name}>` : ''}\r\n`;
  };
}

function transaction(
  entry: ReportEntry,
  decimalOf: (minor: bigint) => string,
  element: Element,
  timeOf: OfxTime,
): string {
  const { id, day, description, memo, type, direction, amountMinor } = entry;
  const name = element('NAME', description, MAX.name) || element('NAME', type, MAX.name);
  // A name is short: a description that is longer is whole before the memo.
  const [first = '', ...rest] = distinctTexts(description, memo);
  const isWhole = first !== '' && name === element('NAME', first, MAX.memo);
  const note = isWhole ? rest : [first, ...rest];
  return (
    `<STMTTRN>\r\n${element('TRNTYPE', codesOf(type, direction).ofx)}${element('DTPOSTED', timeOf(day))}` +
    element('TRNAMT', decimalOf(direction === 'CREDIT' ? amountMinor : -amountMinor)) +
    `${element('FITID', id)}${name}${element('MEMO', note.join(' - '), MAX.memo)}</STMTTRN>\r\n`
  );
}
