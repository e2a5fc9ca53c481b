import type { AddressInput, PhoneInput } from '../person/person.inputs.js';
import type { Address, PersonName, Phone } from '../person/person.entity.js';
import { numberAfter } from '../person/person.errors.js';
import { nameAfter, shownName, storedName } from '../person/person.name.js';
import { InvalidInput, type FieldProblem } from '../../shared/errors.js';
import { mask } from '../../shared/mask.js';
import { plainTaxId } from '../../shared/tax-id.js';
import { brokenRules } from '../../platform/input/read-input.js';
import { fieldNamesOf, pick } from '../../platform/repository/fields.js';
import {
  BENEFICIARY_FIELDS,
  BENEFICIARY_SECRETS,
  type Beneficiary,
  type BeneficiaryFields,
  type BeneficiarySecrets,
  type BeneficiaryView,
  type Relationship,
} from './beneficiary.entity.js';
import { BeneficiaryInput, type BeneficiaryPatch } from './beneficiary.inputs.js';

/** The fields that are columns, and that a client sends for a new beneficiary. */
const COLUMNS = fieldNamesOf(BeneficiaryInput).filter(
  name => !(BENEFICIARY_SECRETS as readonly string[]).includes(name),
);
type Columns = Pick<Beneficiary, Exclude<keyof BeneficiaryInput, (typeof BENEFICIARY_SECRETS)[number]>>;

/** A beneficiary as it is stored: plain columns, and the secrets to be sealed. */
export interface BeneficiaryContent {
  readonly columns: Columns;
  readonly secrets: BeneficiarySecrets;
}

export function recordOf(input: BeneficiaryInput): BeneficiaryContent {
  const { name, isOrganization } = storedName(input.name);
  if (isOrganization && !ORGANIZATIONS.has(input.relationship)) {
    throw new InvalidInput('rule_broken', [NO_ORGANIZATION]);
  }
  const taxId = (input.taxId && plainTaxId(input.taxId)) ?? null;
  return {
    columns: { ...pick<Columns>(input, COLUMNS), name, taxId: taxId && mask(taxId) },
    secrets: {
      taxId,
      dateOfBirth: input.dateOfBirth ?? null,
      addresses: (input.addresses ?? []).map(addressOf),
      emails: (input.emails ?? []).map(({ type, email }) => ({ type, email })),
      phones: (input.phones ?? []).map(phoneOf),
    },
  };
}

const ORGANIZATIONS: ReadonlySet<Relationship> = new Set(['TRUST', 'CHARITY', 'ESTATE']);

const NO_ORGANIZATION: FieldProblem = {
  pointer: '/name/organization',
  code: 'alternatives',
  detail: `organization is for the relationships ${[...ORGANIZATIONS].join(', ')}. Send last, or one of these relationships.`,
};

/** The name as GraphQL shows it: an organisation has one name, which the contract keeps as the last one. */
export function nameOf({ name, relationship }: Pick<Beneficiary, 'name' | 'relationship'>): PersonName {
  return shownName({ name, isOrganization: ORGANIZATIONS.has(relationship) && !name.first && !name.middle });
}

/** A beneficiary that is on record, for comparison with `recordOf`. */
export function contentOf(onFile: BeneficiaryView & { readonly secrets: BeneficiarySecrets }): BeneficiaryContent {
  return { columns: pick<Columns>(onFile, COLUMNS), secrets: onFile.secrets };
}

/** A beneficiary as plain data: every field of the contract's record, in its order. */
export function shown(beneficiary: BeneficiaryFields): BeneficiaryFields {
  return pick<BeneficiaryFields>(beneficiary, BENEFICIARY_FIELDS);
}

/** The record on file with a patch merged into it (RFC 7396). Throws `InvalidInput` when the whole breaks a rule. */
export function merged(
  onFile: BeneficiaryView,
  secrets: BeneficiarySecrets,
  patch: BeneficiaryPatch,
): BeneficiaryInput {
  const whole = Object.assign(new BeneficiaryInput(), {
    ...pick(onFile, COLUMNS),
    ...secrets,
    ...patch,
    name: nameAfter({ name: onFile.name, isOrganization: false }, patch.name),
    taxId: numberAfter('taxId', patch.taxId, { shown: onFile.taxId, whole: secrets.taxId }),
  });
  const broken = brokenRules(whole, '');
  if (broken.length > 0) throw new InvalidInput('rule_broken', broken);
  return whole;
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
