import { readFile } from 'node:fs/promises';
import { UsageError } from 'tillgate/noun';
import type { IrisFormat } from '../iris/iris-format.js';
import { telephoneDigits } from '../iris/iris-texts.js';
import type { ReturnedPayer, Transmitter } from '../iris/iris-xml.js';
import { returnedAddress, type ReturnedAddress } from '../iris/returned-form.js';

const FIELDS: Readonly<Record<string, RegExp>> = {
  tcc: /^[A-Z0-9]{5}$/,
  softwareId: /^[A-Za-z0-9]{10}$/,
  taxId: /^\d{2}-?\d{7}$/,
  name: /^.{1,75}$/,
  'address.line1': /^.{1,35}$/,
  'address.city': /^.{1,40}$/,
  'address.state': /^[A-Z]{2}$/,
  'address.postalCode': /^\d{5}(-?\d{4})?$/,
  'contact.name': /^[A-Za-z\- ]{1,35}$/,
  'contact.email': /^[^\s@]+@[^\s@]+$/,
  'contact.telephone': /\d/,
};

/** Reads who sends the returns. Throws `UsageError` with the fields that are missing or wrong. */
export async function readTransmitter(format: IrisFormat, path: string): Promise<Transmitter> {
  const content = await readFile(path, 'utf8').catch(() => {
    throw new UsageError('The file in --transmitter cannot be read. Check the path and the permissions.');
  });
  const record = parsed(content);
  const value = (name: string): string => {
    const found = name.split('.').reduce<unknown>((of, part) => (of as Record<string, unknown> | null)?.[part], record);
    return typeof found === 'string' ? found : '';
  };
  const wrong = Object.entries(FIELDS).flatMap(([name, form]) => (form.test(value(name)) ? [] : name));
  const telephone = telephoneDigits(value('contact.telephone'));
  if (!telephone && !wrong.includes('contact.telephone')) wrong.push('contact.telephone');
  const address = homeAddress(format, value('address.line1'), {
    city: value('address.city'),
    state: value('address.state'),
    postalCode: value('address.postalCode'),
  });
  if (!address && !wrong.some(name => name.startsWith('address.'))) wrong.push('address');
  if (!address || wrong.length > 0) {
    throw new UsageError(
      `The file in --transmitter lacks these fields, or has them in a wrong form: ${wrong.join(', ')}.`,
    );
  }
  return {
    tcc: value('tcc'),
    softwareId: value('softwareId'),
    taxId: value('taxId'),
    name: value('name'),
    address,
    contact: { name: value('contact.name'), email: value('contact.email'), telephone: telephone ?? '' },
  };
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    throw new UsageError('The file in --transmitter must be JSON in UTF-8.');
  }
}

const CITY_STATE_ZIP = /^(.+?),?\s+([A-Z]{2})\s+(\d{5}(?:-?\d{4})?)$/;

/** The payer as returns name it. Throws `UsageError` for what its record lacks. */
export function returnedPayer(
  format: IrisFormat,
  payer: { readonly name: string; readonly addressLines: readonly string[]; readonly telephone: string | null } | null,
  taxId: string | null,
): ReturnedPayer {
  const [city = '', ...streets] = [...(payer?.addressLines ?? [])].reverse();
  const [, town = '', state = '', postalCode = ''] = CITY_STATE_ZIP.exec(city) ?? [];
  const telephone = telephoneDigits(payer?.telephone ?? null);
  const address = homeAddress(format, streets.toReversed().join(' '), { city: town, state, postalCode });
  if (!payer || !taxId || !address || !telephone) {
    throw new UsageError(
      'The record of the program must have a payer with a name, an address of the United States whose last line is such as Port Ambergill, OR 97000, a telephone number of ten digits, and a tax id. Complete it with tillgate programs set FILE.',
    );
  }
  return { name: payer.name, taxId, address, telephone };
}

/** An address of the United States; null where returns cannot have it. */
function homeAddress(
  format: IrisFormat,
  line1: string,
  place: Readonly<Record<'city' | 'state' | 'postalCode', string>>,
): ReturnedAddress | null {
  return returnedAddress(format, { line1, line2: null, line3: null, country: 'US', ...place });
}
