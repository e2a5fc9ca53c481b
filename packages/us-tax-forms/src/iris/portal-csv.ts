import { InvalidInput, decimalOf } from 'tillgate/noun';
import type { IrisFormat } from './iris-format.js';
import type { ReturnedPayer } from './iris-xml.js';
import { businessName } from './iris-texts.js';
import type { ReturnedForm } from './returned-form.js';

/** The template of the IRIS portal for a year: its head, and what of a form stands in each column. */
export interface PortalTemplate {
  /** The lines up to the heads of the columns, as the template has them. */
  readonly head: string;
  readonly columns: readonly (string | null)[];
}

/**
 * Reads the template that the portal gives. Throws `InvalidInput` with the columns that it has and nobody knows, and
 * with those that it lacks.
 */
export function portalTemplate({ portal }: IrisFormat, template: string): PortalTemplate {
  const lines = template.replace(/^\ufeff/, '').split(/\r\n|\n|\r/);
  const first = lines.findIndex(line => cells(line).includes('Recipient Taxpayer ID Number'));
  if (first < 0) {
    throw wrongTemplate('Has no column Recipient Taxpayer ID Number, so it is not a template.');
  }
  const names = cells(lines[first] ?? '');
  const unknown = names.filter(name => name !== '' && !(name in portal.columns) && !portal.leftEmpty.includes(name));
  if (unknown.length > 0) {
    throw wrongTemplate(`Has columns that are not known: ${unknown.join(', ')}.`);
  }
  const missing = Object.keys(portal.columns).filter(
    name => /^(Recipient T|Box [124] )/.test(name) && !names.includes(name),
  );
  if (missing.length > 0) {
    throw wrongTemplate(`Lacks columns that must be filled: ${missing.join(', ')}.`);
  }
  return {
    head: `${lines.slice(0, first + 1).join('\r\n')}\r\n`,
    columns: names.map(name => portal.columns[name] ?? null),
  };
}

function wrongTemplate(detail: string): InvalidInput {
  return new InvalidInput('rule_broken', [{ pointer: '/template', code: 'format', detail }]);
}

function cells(line: string): string[] {
  const found = line.match(/("([^"]|"")*"|[^,]*)(,|$)/g) ?? [];
  // The end of a line matches as an empty cell of its own, which stands there only behind a comma.
  const last = line.endsWith(',') ? found.length : found.length - 1;
  return found.slice(0, last).map(cell =>
    cell
      .replace(/,$/, '')
      .replace(/^"(.*)"$/s, '$1')
      .replaceAll('""', '"')
      .trim(),
  );
}

/** A line of the file for the portal. */
export function portalLine(
  { taxYear, limits }: IrisFormat,
  { columns }: PortalTemplate,
  payer: ReturnedPayer,
  form: ReturnedForm,
): string {
  const [payerName = '', payerName2 = ''] = businessName(payer.name, limits.businessName);
  const [businessFirst = '', businessSecond = ''] = 'business' in form.name ? form.name.business : [];
  const isPerson = 'first' in form.name;
  const { address, cents, state } = form;
  const values: Readonly<Record<string, string>> = {
    formType: '1099-INT',
    taxYear: String(taxYear),
    payerTinType: 'EIN',
    payerTin: payer.taxId.replaceAll('-', ''),
    payerNameType: 'B',
    payerName,
    payerName2,
    payerPhoneType: 'D',
    payerPhone: payer.telephone,
    ...addressValues('payer', payer.address),
    tinType: isPerson ? personTinType(form.taxId) : 'EIN',
    tin: form.taxId,
    nameType: isPerson ? 'I' : 'B',
    ...('first' in form.name ? form.name : { businessName: businessFirst, businessName2: businessSecond }),
    ...addressValues('', address),
    accountNumber: form.accountNumber,
    secondTinNotice: form.secondTinNotice ? 'Y' : 'N',
    box1: decimalOf(cents[1] ?? 0n, 'USD'),
    box2: decimalOf(cents[2] ?? 0n, 'USD'),
    box4: decimalOf(cents[4] ?? 0n, 'USD'),
    box15: state?.code ?? '',
    box16: state?.number ?? '',
    box17: state ? decimalOf(cents[17] ?? 0n, 'USD') : '',
  };
  return `${columns.map(name => quoted(name === null ? '' : (values[name] ?? ''))).join(',')}\r\n`;
}

/**
 * The kind of a person's number, by its digits: those for taxpayers without a social security number begin with 9, and
 * the fourth and fifth digit tell them apart (Internal Revenue Manual 3.21.263).
 */
function personTinType(taxId: string): 'SSN' | 'ITIN' | 'ATIN' {
  if (/^9\d\d93/.test(taxId)) return 'ATIN';
  return /^9\d\d(5\d|6[0-5]|7\d|8[0-8]|9[0-24-9])/.test(taxId) ? 'ITIN' : 'SSN';
}

function addressValues(prefix: '' | 'payer', address: ReturnedPayer['address']): Record<string, string> {
  const [line1 = '', line2 = ''] = address.lines;
  const place =
    'zip' in address
      ? { country: 'US', state: address.state, zip: address.zip }
      : { country: address.country, state: address.province, zip: address.postalCode };
  const values = { ...place, line1, line2, city: address.city };
  if (prefix === '') return values;
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [`payer${name.charAt(0).toUpperCase()}${name.slice(1)}`, value]),
  );
}

function quoted(value: string): string {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
