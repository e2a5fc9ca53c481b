import type { AddressInput, PhoneInput } from '../person/person.inputs.js';
import type { Address, Phone } from '../person/person.entity.js';
import { InvalidInput } from '../shared/errors.js';
import { mask } from '../shared/mask.js';
import { brokenRules } from '../platform/input/read-input.js';
import type { Beneficiary, BeneficiarySecrets } from './beneficiary.entity.js';
import { ForeignMask } from './beneficiary.errors.js';
import { BeneficiaryInput, type BeneficiaryPatch } from './beneficiary.inputs.js';

type Columns = Pick<
  Beneficiary,
  'name' | 'taxId' | 'taxIdType' | 'beneficiaryType' | 'relationship' | 'sharePercentage'
>;

/** What is stored of a beneficiary: the columns anyone may read, and the secrets to be sealed. */
export interface BeneficiaryContent {
  readonly columns: Columns;
  readonly secrets: BeneficiarySecrets;
}

export function recordOf(input: BeneficiaryInput): BeneficiaryContent {
  const { name, taxIdType = null, beneficiaryType, relationship, sharePercentage } = input;
  const taxId = input.taxId?.replaceAll('-', '') ?? null;
  return {
    columns: {
      name: { first: name.first, middle: name.middle ?? null, last: name.last },
      taxId: taxId && mask(taxId),
      taxIdType,
      beneficiaryType,
      relationship,
      sharePercentage,
    },
    secrets: {
      taxId,
      dateOfBirth: input.dateOfBirth ?? null,
      addresses: (input.addresses ?? []).map(addressOf),
      emails: (input.emails ?? []).map(({ type, email }) => ({ type, email })),
      phones: (input.phones ?? []).map(phoneOf),
    },
  };
}

/** The record on file with a patch merged into it (RFC 7396). Throws `InvalidInput` when the whole breaks a rule. */
export function merged(onFile: Beneficiary, secrets: BeneficiarySecrets, patch: BeneficiaryPatch): BeneficiaryInput {
  const { first, middle, last } = onFile.name;
  const { taxIdType, beneficiaryType, relationship, sharePercentage } = onFile;
  const { dateOfBirth, addresses, emails, phones } = secrets;
  const whole = Object.assign(new BeneficiaryInput(), {
    ...{ taxIdType, beneficiaryType, relationship, sharePercentage, dateOfBirth, addresses, emails, phones },
    ...patch,
    name: { first, middle, last, ...patch.name },
    taxId: taxIdAfter(onFile, secrets, patch),
  });
  const broken = brokenRules(whole, '');
  if (broken.length > 0) throw new InvalidInput('rule_broken', broken);
  return whole;
}

// A client that sends the record back as it was shown sends the mask, and means no change.
function taxIdAfter(onFile: Beneficiary, secrets: BeneficiarySecrets, { taxId }: BeneficiaryPatch): string | null {
  if (taxId === undefined) return secrets.taxId;
  if (taxId === null || !taxId.includes('*')) return taxId;
  if (taxId !== onFile.taxId) throw new ForeignMask();
  return secrets.taxId;
}

function addressOf({ line1, line2, line3, city, state, postalCode, country, type }: AddressInput): Address {
  return {
    line1,
    line2: line2 ?? null,
    line3: line3 ?? null,
    city,
    state: state ?? null,
    postalCode: postalCode ?? null,
    country,
    type,
  };
}

function phoneOf({ type, country, number }: PhoneInput): Phone {
  return { type, country: country ?? null, number };
}
