import { readFile } from 'node:fs/promises';
import { UsageError } from '../../shared/usage-error.js';
import type { IrisFormat } from '../iris/iris-format.js';
import { addressLines, placeName, telephoneDigits, zipCode } from '../iris/iris-texts.js';
import type { ReturnedPayer, Transmitter } from '../iris/iris-xml.js';
import type { ReturnedAddress } from '../iris/returned-form.js';

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
  if (wrong.length > 0) {
    throw new UsageError(
      `The file in --transmitter lacks these fields, or has them in a wrong form: ${wrong.join(', ')}.`,
    );
  }
  return {
    tcc: value('tcc'),
    softwareId: value('softwareId'),
    taxId: value('taxId'),
    name: value('name'),
    address: {
      lines: addressLines([value('address.line1')], format.limits.addressLine),
      city: placeName(value('address.city'), format.limits.city),
      state: value('address.state'),
      zip: zipCode(value('address.postalCode')) ?? '',
    },
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
  { limits }: IrisFormat,
  payer: { readonly name: string; readonly addressLines: readonly string[]; readonly telephone: string | null } | null,
  taxId: string | null,
): ReturnedPayer {
  const [city = '', ...streets] = [...(payer?.addressLines ?? [])].reverse();
  const [, town, state = '', zip = ''] = CITY_STATE_ZIP.exec(city) ?? [];
  const telephone = telephoneDigits(payer?.telephone ?? null);
  if (!payer || !taxId || !town || streets.length === 0 || !telephone) {
    throw new UsageError(
      'The record of the program must have a payer with a name, an address of the United States whose last line is such as Port Ambergill, OR 97000, a telephone number of ten digits, and a tax id. Complete it with tillgate programs set FILE.',
    );
  }
  const address: ReturnedAddress = {
    lines: addressLines(streets.toReversed(), limits.addressLine),
    city: placeName(town, limits.city),
    state,
    zip: zipCode(zip) ?? '',
  };
  return { name: payer.name, taxId, address, telephone };
}
