import type { ImportName } from '../../src/bank/import/import.names.js';

/** A file as a bank gives it to its customers or to its next system, and the map by which it is imported. */
export interface BankExport {
  readonly name: string;
  readonly kind: ImportName;
  readonly encoding: 'utf8' | 'utf8 with mark' | 'windows-1252' | 'utf16le';
  readonly lineBreak: '\n' | '\r\n';
  readonly lines: readonly string[];
  /** Of at most 15 lines. `ACCOUNT` stands for the account of the file. */
  readonly map: string;
  readonly currency: string;
  readonly timeZone: string;
  /**
   * What the ledger of the account has then, oldest first, as `-850.00 2026-03-02T23:00 text`; empty for other records.
   */
  readonly imported: readonly string[];
}

const BERLIN = { kind: 'transactions', currency: 'EUR', timeZone: 'Europe/Berlin' } as const;

/**
 * Made up after the columns that banks and their customers describe in public, each with what made such files hard to
 * import: lines before the header, totals behind the rows, signs, forms of dates, encodings and quotes.
 */
export const BANK_EXPORTS: readonly BankExport[] = [
  {
    ...BERLIN,
    name: 'a direct bank with lines before the header, and all cells in quotes',
    encoding: 'utf8 with mark',
    lineBreak: '\n',
    lines: [
      '"Girokonto";"DE00 1203 0000 0011 2233 44"',
      '"Zeitraum:";"01.03.2026 - 31.03.2026"',
      '"Kontostand vom 31.03.2026:";"1.234,56 €"',
      '""',
      '"Buchungsdatum";"Wertstellung";"Status";"Zahlungspflichtige*r";"Zahlungsempfänger*in";"Verwendungszweck";"Umsatztyp";"IBAN";"Betrag (€)";"Gläubiger-ID"',
      '"03.03.2026";"03.03.2026";"Gebucht";"Quill, Ada";"Zur Mühle GmbH";"Miete; März";"Ausgang";"DE0015";"-850,00";""',
      '"02.03.2026";"02.03.2026";"Gebucht";"Firma ""Kante"" AG";"Quill, Ada";"Gehalt";"Eingang";"DE0016";"2.400,5";""',
    ],
    map: `headerLine: 5
dates: DD.MM.YYYY
amounts: 1.234,56
timeZone: Europe/Berlin
fields:
  - { field: transactionId, makeId: ROW }
  - { field: accountId, default: ACCOUNT }
  - { field: amount, column: Betrag (€) }
  - { field: debitCreditMemo, signOf: Betrag (€) }
  - { field: category, default: SEPA }
  - { field: transactionType, default: TRANSFER }
  - { field: status, column: Status, words: [{ cell: Gebucht, is: POSTED }] }
  - { field: transactionTimestamp, column: Wertstellung }
  - { field: postedTimestamp, column: Buchungsdatum }
  - { field: description, column: Verwendungszweck }`,
    imported: ['-850.00 2026-03-02T23:00 Miete; März', '2400.50 2026-03-01T23:00 Gehalt'],
  },
  {
    ...BERLIN,
    name: 'a bank whose header has a column twice, in Windows-1252, with the balance after each row',
    encoding: 'windows-1252',
    lineBreak: '\r\n',
    lines: [
      'Umsatzanzeige;Datei erstellt am: 31.03.2026 10:00',
      '',
      'IBAN;DE00 5001 0517 0011 2233 44',
      'Kunde;Ada Quill "privat"',
      '',
      'Buchung;Wertstellungsdatum;Auftraggeber/Empfänger;Buchungstext;Verwendungszweck;Saldo;Währung;Betrag;Währung',
      '02.03.2026;02.03.2026;Kante AG;Gehalt/Rente;Gehalt März;1.400,00;EUR;1.400,00;EUR',
      '03.03.2026;04.03.2026;Café – Müller;Lastschrift;Kaffee 5 €;1.395,80;EUR;-4,20;EUR',
      '03.03.2026;04.03.2026;Café – Müller;Lastschrift;Kaffee 5 €;1.391,60;EUR;-4,20;EUR',
    ],
    map: `headerLine: 6
dates: DD.MM.YYYY
amounts: 1.234,56
timeZone: Europe/Berlin
fields:
  - { field: transactionId, makeId: ROW }
  - { field: accountId, default: ACCOUNT }
  - { field: amount, column: Betrag }
  - { field: availableBalance, column: Saldo }
  - { field: debitCreditMemo, signOf: Betrag }
  - { field: category, default: SEPA }
  - { field: transactionType, default: TRANSFER }
  - { field: status, default: POSTED }
  - { field: transactionTimestamp, column: Wertstellungsdatum }
  - { field: postedTimestamp, column: Buchung }`,
    imported: ['1400.00 2026-03-01T23:00', '-4.20 2026-03-02T23:00', '-4.20 2026-03-02T23:00'],
  },
  {
    ...BERLIN,
    name: 'a cooperative bank with minus signs behind amounts, two forms of dates and a total at the end',
    encoding: 'windows-1252',
    lineBreak: '\r\n',
    lines: [
      'Buchungstag;Valuta;Textschlüssel;Vorgang/Verwendungszweck;Umsatz',
      '2.3.2026;2026-03-02;51;Überweisung Gehalt;1.400,00+',
      '3.3.2026;2026-03-04;5;Lastschrift Miete;850,00-',
      'Summe;;;;550,00+',
    ],
    map: `dates: D.M.YYYY
amounts: 1.234,56
timeZone: Europe/Berlin
skip: [{ column: Buchungstag, cells: [Summe] }]
fields:
  - { field: transactionId, makeId: LINE, format: 2026-03-# }
  - { field: accountId, default: ACCOUNT }
  - { field: amount, column: Umsatz }
  - { field: debitCreditMemo, signOf: Umsatz }
  - { field: category, column: Textschlüssel, words: [{ cell: 51, is: SEPA-CREDIT }, { cell: 5, is: SEPA-DEBIT }] }
  - { field: transactionType, default: TRANSFER }
  - { field: status, default: POSTED }
  - { field: transactionTimestamp, column: Valuta, format: YYYY-MM-DD }
  - { field: postedTimestamp, column: Buchungstag }
  - { field: description, column: Vorgang/Verwendungszweck }`,
    imported: ['1400.00 2026-03-01T23:00 Überweisung Gehalt', '-850.00 2026-03-02T23:00 Lastschrift Miete'],
  },
  {
    kind: 'transactions',
    currency: 'USD',
    timeZone: 'America/New_York',
    name: 'a national bank of the United States with a summary before the header and balances among the rows',
    encoding: 'utf8',
    lineBreak: '\r\n',
    lines: [
      'Description,,Summary Amt.',
      'Beginning balance as of 03/01/2026,,"1,000.00"',
      'Total credits,,"2,400.50"',
      'Total debits,,"-850.00"',
      '',
      'Date,Description,Amount,Running Bal.',
      '03/01/2026,Beginning balance as of 03/01/2026,,"1,000.00"',
      '03/02/2026,"PAYROLL ""KANTE"", INC.","2,400.50","3,400.50"',
      '03/03/2026,RENT,"-850.00","2,550.50"',
      'Total for the period,,"1,550.50",',
    ],
    map: `headerLine: 6
dates: MM/DD/YYYY
amounts: 1,234.56
timeZone: America/New_York
skip: [{ column: Description, cells: [Beginning balance*] }, { column: Date, cells: [Total*] }]
fields:
  - { field: transactionId, makeId: ROW }
  - { field: accountId, default: ACCOUNT }
  - { field: amount, column: Amount }
  - { field: debitCreditMemo, signOf: Amount }
  - { field: category, default: ACH }
  - { field: transactionType, default: TRANSFER }
  - { field: status, default: POSTED }
  - { field: transactionTimestamp, column: Date }
  - { field: postedTimestamp, column: Date }`,
    imported: ['2400.50 2026-03-02T05:00', '-850.00 2026-03-03T05:00'],
  },
  {
    kind: 'transactions',
    currency: 'USD',
    timeZone: 'America/Chicago',
    name: 'a bank of the United States that writes debits in parentheses and pads rows with cells',
    encoding: 'utf8',
    lineBreak: '\n',
    lines: [
      'Details,Posting Date,Description,Amount,Type,Balance,Check or Slip #',
      'CREDIT,3/2/2026,PAYROLL,"2,400.50",ACH_CREDIT,2400.50,,',
      'DEBIT,3/3/2026,CHECK 107,(850.00),CHECK_PAID,1550.50,107,',
    ],
    map: `dates: M/D/YYYY
amounts: 1,234.56
timeZone: America/Chicago
fields:
  - { field: transactionId, makeId: ROW }
  - { field: accountId, default: ACCOUNT }
  - { field: amount, column: Amount }
  - { field: availableBalance, column: Balance }
  - { field: debitCreditMemo, signOf: Amount }
  - { field: category, column: Type }
  - { field: transactionType, default: TRANSFER }
  - { field: status, default: POSTED }
  - { field: transactionTimestamp, column: Posting Date }
  - { field: postedTimestamp, column: Posting Date }
  - { field: reference, column: 'Check or Slip #' }`,
    imported: ['2400.50 2026-03-02T06:00', '-850.00 2026-03-03T06:00'],
  },
  {
    kind: 'transactions',
    currency: 'EUR',
    timeZone: 'Europe/Amsterdam',
    name: 'a bank of the Netherlands with numbered rows and plus signs',
    encoding: 'windows-1252',
    lineBreak: '\r\n',
    lines: [
      '"IBAN/BBAN","Munt","BIC","Volgnr","Datum","Rentedatum","Bedrag","Saldo na trn","Tegenrekening IBAN/BBAN","Naam tegenpartij","Code","Omschrijving-1"',
      '"NL00RABO0123456789","EUR","RABONL2U","000000000000004711","2026-03-02","2026-03-02","+2.400,50","+2.400,50","NL01","Kante B.V.","cb","Salaris"',
      '"NL00RABO0123456789","EUR","RABONL2U","000000000000004712","2026-03-03","2026-03-04","-850,00","+1.550,50","NL02","Café Ruïne","bg","Huur"',
    ],
    map: `amounts: 1.234,56
timeZone: Europe/Amsterdam
fields:
  - { field: transactionId, column: Volgnr }
  - { field: accountId, default: ACCOUNT }
  - { field: amount, column: Bedrag }
  - { field: availableBalance, column: Saldo na trn }
  - { field: debitCreditMemo, signOf: Bedrag }
  - { field: category, column: Code }
  - { field: transactionType, default: TRANSFER }
  - { field: status, default: POSTED }
  - { field: transactionTimestamp, column: Rentedatum }
  - { field: postedTimestamp, column: Datum }
  - { field: description, column: Omschrijving-1 }`,
    imported: ['2400.50 2026-03-01T23:00 Salaris', '-850.00 2026-03-02T23:00 Huur'],
  },
  {
    kind: 'transactions',
    currency: 'SEK',
    timeZone: 'Europe/Stockholm',
    name: 'a Nordic bank in UTF-16 with tabs, the minus of typesetters and spaces in amounts',
    encoding: 'utf16le',
    lineBreak: '\r\n',
    lines: [
      'Bokföringsdag\tValutadag\tTyp\tText\tBelopp\tSaldo',
      '2026-03-02\t2026-03-02\tInsättning\tLön\t24\u00a0000,50\t24\u00a0000,50',
      '2026-03-03\t2026-03-04\tUttag\tHyra "Ängen"\t−8\u00a0500,00\t15\u00a0500,50',
    ].map(line => line.replace('Hyra "Ängen"', '"Hyra ""Ängen"""')),
    map: `amounts: 1 234,56
timeZone: Europe/Stockholm
fields:
  - { field: transactionId, makeId: ROW }
  - { field: accountId, default: ACCOUNT }
  - { field: amount, column: Belopp }
  - { field: availableBalance, column: Saldo }
  - { field: debitCreditMemo, signOf: Belopp }
  - { field: category, default: BANKGIRO }
  - { field: transactionType, column: Typ, words: [{ cell: Insättning, is: DEPOSIT }, { cell: Uttag, is: WITHDRAWAL }] }
  - { field: status, default: POSTED }
  - { field: transactionTimestamp, column: Valutadag }
  - { field: postedTimestamp, column: Bokföringsdag }
  - { field: description, column: Text }`,
    imported: ['24000.50 2026-03-01T23:00 Lön', '-8500.00 2026-03-02T23:00 Hyra "Ängen"'],
  },
  {
    kind: 'transactions',
    currency: 'CHF',
    timeZone: 'Europe/Zurich',
    name: 'a Swiss bank with apostrophes in amounts, a header of CRLF, rows of LF, and words behind the rows',
    encoding: 'utf8',
    lineBreak: '\n',
    lines: [
      'Kontonummer:;0234 00103914.40\r',
      'Abschlussdatum;Abschlusszeit;Währung;Einzelbetrag;Saldo;Transaktions-Nr.;Beschreibung\r',
      "2026-03-02;08:15:00;CHF;2'400.50;2'400.50;1234061TI0001;Lohn",
      "2026-03-03;23:59:59;CHF;-850.00;1'550.50;1234062TI0002;Miete",
      "Umsatztotal;;CHF;1'550.50;;;",
      'Hinweis: ohne Gewähr;;;;;;',
    ],
    map: `headerLine: 2
amounts: 1'234.56
timeZone: Europe/Zurich
skip: [{ column: Abschlussdatum, cells: [Umsatztotal, 'Hinweis:*'] }]
fields:
  - { field: transactionId, column: Transaktions-Nr. }
  - { field: accountId, default: ACCOUNT }
  - { field: amount, column: Einzelbetrag }
  - { field: debitCreditMemo, signOf: Einzelbetrag }
  - { field: category, default: SIC }
  - { field: transactionType, default: TRANSFER }
  - { field: status, default: POSTED }
  - { field: transactionTimestamp, column: Abschlussdatum }
  - { field: postedTimestamp, column: Abschlussdatum }
  - { field: description, column: Beschreibung }`,
    imported: ['2400.50 2026-03-01T23:00 Lohn', '-850.00 2026-03-02T23:00 Miete'],
  },
  {
    ...BERLIN,
    name: 'the customers of a core system that has numbers and no ids, and tax ids with spaces',
    kind: 'customers',
    encoding: 'windows-1252',
    lineBreak: '\r\n',
    lines: [
      'Kd-Nr;Vorname;Name;Geb.;Steuer-ID;Straße;PLZ;Ort',
      '007;Jörg;Weiß;03.02.1970;12 345 678 901;Am Tor 1;02134;Köln',
      '0815;Ada;Quill;;;;;',
    ],
    map: `dates: DD.MM.YYYY
fields:
  - { field: customerId, column: Kd-Nr, makeId: UUID }
  - { field: name.first, column: Vorname }
  - { field: name.last, column: Name }
  - { field: dateOfBirth, column: Geb. }
  - { field: taxId, column: Steuer-ID }
  - { field: taxIdCountry, default: DE, where: Steuer-ID }
  - { field: addresses.0.line1, column: Straße }
  - { field: addresses.0.postalCode, column: PLZ }
  - { field: addresses.0.city, column: Ort }
  - { field: addresses.0.country, default: DE }
  - { field: addresses.0.type, default: HOME }`,
    imported: [],
  },
  {
    ...BERLIN,
    name: 'the accounts of that system, whose owners are its numbers',
    kind: 'accounts',
    encoding: 'windows-1252',
    lineBreak: '\r\n',
    lines: ['Konto;Art;Währung;Eröffnet;Inhaber', 'ACCOUNT;Giro;EUR;31.1.2020;007 | 0815', 'Summe: 1 Konto;;;;'],
    map: `dates: D.M.YYYY
skip: [{ column: Konto, cells: ['Summe:*'] }]
fields:
  - { field: accountId, column: Konto }
  - { field: accountType, column: Art, words: [{ cell: Giro, is: CHECKING }] }
  - { field: currency, column: Währung }
  - { field: timeZone, default: Europe/Berlin }
  - { field: interestBearing, default: false }
  - { field: openedOn, column: Eröffnet }
  - { field: owners, column: Inhaber, makeId: UUID }`,
    imported: [],
  },
];

/** The file as its bytes. */
export function bytesOf({ lines, lineBreak, encoding }: BankExport, account: string): Buffer {
  const text = `${lines.join(lineBreak).replaceAll('ACCOUNT', account)}${lineBreak}`;
  if (encoding === 'windows-1252') {
    return Buffer.from(text.replaceAll('€', '\u0080').replaceAll('–', '\u0096'), 'latin1');
  }
  const marked = encoding === 'utf8' ? text : `\uFEFF${text}`;
  return Buffer.from(marked, encoding === 'utf16le' ? 'utf16le' : 'utf8');
}
