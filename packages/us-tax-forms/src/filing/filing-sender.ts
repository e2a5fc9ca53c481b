import { InvalidInput, ProgramIncomplete, type ProgramRead } from 'tillgate/noun';
import type { IrisFormat } from '../iris/iris-format.js';
import { telephoneDigits } from '../iris/iris-texts.js';
import type { ReturnedPayer, Transmitter } from '../iris/iris-xml.js';
import { portalTemplate } from '../iris/portal-csv.js';
import { returnedAddress, type ReturnedAddress } from '../iris/returned-form.js';
import type { FilingSender } from '../tax-filing.entity.js';
import type { StartTaxFilingInput, TransmitterInput } from '../tax.inputs.js';

/**
 * The payer and the sender of a filing. Throws `ProgramIncomplete` for what the record of the program lacks, and
 * `InvalidInput` for a transmitter or a template that returns cannot have.
 */
export function filingSender(
  format: IrisFormat,
  record: Pick<ProgramRead, 'payer' | 'secrets'> | null,
  { transmitter, template }: Pick<StartTaxFilingInput, 'transmitter' | 'template'>,
): FilingSender {
  if ((transmitter == null) === (template == null)) throw new NotOneWay();
  const by = transmitter
    ? { transmitter: returnedTransmitter(format, transmitter) }
    : { template: portalTemplate(format, template ?? '') };
  return { payer: returnedPayer(format, record?.payer ?? null, record?.secrets.payerTaxId ?? null), by };
}

class NotOneWay extends InvalidInput {
  constructor() {
    const detail = 'Send transmitter for XML, or template for CSV, and not both.';
    super('rule_broken', [{ pointer: '/transmitter', code: 'alternatives', detail }]);
  }
}

function returnedTransmitter(format: IrisFormat, input: TransmitterInput): Transmitter {
  const telephone = telephoneDigits(input.contact.telephone);
  const { line1, city, state, postalCode } = input.address;
  const address = homeAddress(format, line1, { city, state, postalCode });
  const problems = [
    ...(telephone ? [] : [wrong('contact/telephone', 'Must have the ten digits of a number of the United States.')]),
    ...(address ? [] : [wrong('address', 'Must be an address of the United States in letters from A to Z.')]),
  ];
  if (!address || !telephone) throw new InvalidInput('rule_broken', problems);
  return { ...input, address, contact: { ...input.contact, telephone } };
}

function wrong(field: string, detail: string) {
  return { pointer: `/transmitter/${field}`, code: 'format', detail } as const;
}

const CITY_STATE_ZIP = /^(.+?),?\s+([A-Z]{2})\s+(\d{5}(?:-?\d{4})?)$/;

/** The payer as returns name it. Throws `ProgramIncomplete` for what its record lacks. */
function returnedPayer(format: IrisFormat, payer: ProgramRead['payer'], taxId: string | null): ReturnedPayer {
  const [city = '', ...streets] = [...(payer?.addressLines ?? [])].reverse();
  const [, town = '', state = '', postalCode = ''] = CITY_STATE_ZIP.exec(city) ?? [];
  const telephone = telephoneDigits(payer?.telephone ?? null);
  const address = homeAddress(format, streets.toReversed().join(' '), { city: town, state, postalCode });
  if (!payer || !taxId || !address || !telephone) {
    throw new ProgramIncomplete([
      ...(payer ? [] : ['payer.name']),
      ...(address ? [] : ['payer.addressLines (of the United States, the last line such as Port Ambergill, OR 97000)']),
      ...(telephone ? [] : ['payer.telephone (ten digits)']),
      ...(taxId ? [] : ['payer.taxId']),
    ]);
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
