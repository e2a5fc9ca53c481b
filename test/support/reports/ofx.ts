import { Ofx } from 'ofx-data-extractor';

/** What OFX says, as a package reads it that knows nothing of the code that writes it. */
export interface OfxStatement {
  readonly version: string;
  readonly currency: string;
  readonly bank: string;
  readonly account: string;
  readonly accountType: string;
  readonly from: string;
  readonly to: string;
  readonly balance: string;
  readonly transactions: readonly OfxTransaction[];
}

export interface OfxTransaction {
  readonly TRNTYPE: string;
  readonly DTPOSTED: string;
  readonly TRNAMT: string;
  readonly FITID: string;
  readonly NAME: string;
  readonly MEMO?: string;
}

interface Read {
  readonly VERSION: string;
  readonly OFX: {
    readonly BANKMSGSRSV1: {
      readonly STMTTRNRS: {
        readonly STMTRS: {
          readonly CURDEF: string;
          readonly BANKACCTFROM: { readonly BANKID: string; readonly ACCTID: string; readonly ACCTTYPE: string };
          readonly BANKTRANLIST: {
            readonly DTSTART: string;
            readonly DTEND: string;
            /** The package's own name for STMTTRN. */
            readonly STRTTRN?: readonly OfxTransaction[];
          };
          readonly LEDGERBAL: { readonly BALAMT: string };
        };
      };
    };
  };
}

/** Reads the bytes in the character set that their header names. Throws where they are not valid. */
export function readOfx(bytes: Buffer): OfxStatement {
  const charset = /^CHARSET:1252\r$/m.test(bytes.toString('latin1')) ? 'windows-1252' : 'utf-8';
  // Some readers take a file without a header of OFX 1 for ASCII.
  const isAscii = !/[^\t\r\n\x20-\x7e]/.test(bytes.toString('latin1'));
  if (charset === 'utf-8' && !isAscii) throw new Error('a byte is not ASCII');
  const ofx = new Ofx(new TextDecoder(charset, { fatal: true }).decode(bytes));
  const { isValid, errors, warnings } = ofx.validate();
  const doubts = warnings.filter(({ code }) => code !== 'NO_TRANSACTIONS_FOUND');
  if (!isValid || doubts.length > 0) throw new Error(JSON.stringify([errors, warnings]));
  const { VERSION: version, OFX } = ofx.toJson() as unknown as Read;
  const { CURDEF, BANKACCTFROM, BANKTRANLIST, LEDGERBAL } = OFX.BANKMSGSRSV1.STMTTRNRS.STMTRS;
  const text = (value: string): string =>
    value
      .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&');
  return {
    version,
    currency: CURDEF,
    bank: BANKACCTFROM.BANKID,
    account: text(BANKACCTFROM.ACCTID),
    accountType: BANKACCTFROM.ACCTTYPE,
    from: BANKTRANLIST.DTSTART,
    to: BANKTRANLIST.DTEND,
    balance: LEDGERBAL.BALAMT,
    // It leaves entities as they are.
    transactions: (BANKTRANLIST.STRTTRN ?? []).map(one => ({
      ...one,
      FITID: text(one.FITID),
      NAME: text(one.NAME),
      ...(one.MEMO !== undefined && { MEMO: text(one.MEMO) }),
    })),
  };
}
