import { numberAfter } from '../person/person.errors.js';
import { nameAfter, shownName, storedName } from '../person/person.name.js';
import { brokenRules } from '../../platform/input/read-input.js';
import { InvalidInput } from '../../shared/errors.js';
import { canonicalJson, type Json } from '../../shared/json.js';
import { mask } from '../../shared/mask.js';
import { metadataAfter } from '../../shared/metadata.js';
import { plainTaxId } from '../../shared/tax-id.js';
import type { RecordVersion } from '../../shared/version.js';
import { CustomerDetails, type CustomerPatch } from './customer.inputs.js';
import type { Customer, CustomerSecrets, CustomerView } from './owner.entity.js';
import type { CustomerRead } from './owner.repository.js';

/** A customer as it is stored: plain columns, and the secrets to be sealed. */
export interface CustomerContent {
  readonly columns: Pick<
    Customer,
    | 'bankNumber'
    | 'name'
    | 'isOrganization'
    | 'taxId'
    | 'taxIdCountry'
    | 'governmentId'
    | 'taxStatus'
    | 'taxStatusOn'
    | 'secondTinNoticeOn'
    | 'electronicTaxFormsOn'
    | 'metadata'
  >;
  readonly secrets: CustomerSecrets;
}

/** Spaces of a tax id are dropped, and hyphens of one of the United States; those of others belong to it. */
export function storedOf(record: CustomerDetails): CustomerContent {
  const { bankNumber = null, name, taxIdCountry = null, governmentId = null } = record;
  const { dateOfBirth = null, contact, addresses } = record;
  const taxId =
    (taxIdCountry === 'US' && record.taxId ? plainTaxId(record.taxId) : record.taxId?.replaceAll(' ', '')) ?? null;
  const secrets: CustomerSecrets = {
    taxId,
    governmentId,
    dateOfBirth,
    contact: {
      email: contact?.email ?? [],
      telephones: (contact?.telephones ?? []).map(({ type, country = null, number }) => ({
        type,
        country,
        number,
      })),
    },
    addresses: (addresses ?? []).map(
      ({ line1, line2 = null, line3 = null, city, state = null, postalCode = null, country, type }) => ({
        line1,
        line2,
        line3,
        city,
        state,
        postalCode,
        country,
        type,
      }),
    ),
  };
  const columns = {
    bankNumber,
    ...storedName(name),
    taxId: taxId && mask(taxId),
    taxIdCountry,
    governmentId: governmentId && mask(governmentId),
    metadata: metadataAfter({}, record.metadata),
    ...taxFactsOf(record),
  };
  return { columns, secrets };
}

/** Returns what the payer of interest knows of a customer for its forms. */
function taxFactsOf({
  taxStatus = null,
  taxStatusOn = null,
  secondTinNoticeOn = null,
  electronicTaxFormsOn = null,
}: Pick<CustomerDetails, 'taxStatus' | 'taxStatusOn' | 'secondTinNoticeOn' | 'electronicTaxFormsOn'>) {
  return { taxStatus, taxStatusOn, secondTinNoticeOn, electronicTaxFormsOn };
}

/** A customer that is on record, for comparison with `storedOf`. */
export function contentOf(customer: CustomerRead): CustomerContent {
  const { bankNumber, name, isOrganization, taxId, taxIdCountry, governmentId, metadata, secrets } = customer;
  const columns = {
    bankNumber,
    name,
    isOrganization,
    taxId,
    taxIdCountry,
    governmentId,
    metadata,
    ...taxFactsOf(customer),
  };
  return { columns, secrets };
}

/** The names of the fields that differ, as a patch names them. */
export function changedFields(before: CustomerContent, after: CustomerContent): string[] {
  const [old, now] = [fieldsOf(before), fieldsOf(after)];
  return Object.keys(now).filter(field => canonicalJson(old[field] as Json) !== canonicalJson(now[field] as Json));
}

function fieldsOf({ columns, secrets }: CustomerContent): Readonly<Record<string, unknown>> {
  const { bankNumber, taxIdCountry, metadata } = columns;
  const { taxId, governmentId, dateOfBirth, contact, addresses } = secrets;
  return {
    bankNumber,
    name: shownName(columns),
    taxId,
    taxIdCountry,
    governmentId,
    dateOfBirth,
    contact,
    addresses,
    metadata,
    ...taxFactsOf(columns),
  };
}

/** The record on file with a patch merged into it (RFC 7396). Throws `InvalidInput` when the whole breaks a rule. */
export function merged(onFile: CustomerRead, patch: CustomerPatch): CustomerDetails {
  const { bankNumber, taxId, taxIdCountry, governmentId, secrets } = onFile;
  const { dateOfBirth, contact, addresses } = secrets;
  const whole = Object.assign(new CustomerDetails(), {
    bankNumber,
    taxIdCountry,
    dateOfBirth,
    addresses,
    ...taxFactsOf(onFile),
    ...patch,
    metadata: metadataAfter(onFile.metadata, patch.metadata),
    name: nameAfter(onFile, patch.name),
    taxId: numberAfter('taxId', patch.taxId, {
      shown: taxId,
      whole: secrets.taxId,
    }),
    governmentId: numberAfter('governmentId', patch.governmentId, {
      shown: governmentId,
      whole: secrets.governmentId,
    }),
    contact:
      patch.contact === null
        ? null
        : {
            ...contact,
            ...patch.contact,
          },
  });
  const broken = brokenRules(whole, '');
  if (broken.length > 0) throw new InvalidInput('rule_broken', broken);
  return whole;
}

/** The rest of a customer whose personal data is erased: accounts, events and documents name the customer by id. */
export const ERASED: CustomerContent = storedOf(Object.assign(new CustomerDetails(), { name: { last: 'Erased' } }));

/** A customer as plain data, its numbers masked. */
export function shownOf(
  customerId: string,
  { columns, secrets }: CustomerContent,
  { version, updatedAt }: RecordVersion,
  erasedAt: string | null = null,
): CustomerView {
  const { bankNumber, name, isOrganization, taxId, taxIdCountry, governmentId, metadata } = columns;
  const { dateOfBirth, contact, addresses } = secrets;
  const taxFacts = taxFactsOf(columns);
  const numbers = { taxId, taxIdCountry, governmentId };
  const dates = { metadata, erasedAt, version, updatedAt };
  const names = { name, isOrganization };
  return { customerId, bankNumber, ...names, ...numbers, dateOfBirth, contact, addresses, ...taxFacts, ...dates };
}
