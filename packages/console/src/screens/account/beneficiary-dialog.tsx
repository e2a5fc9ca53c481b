import { useState } from 'preact/hooks';
import {
  ConsoleAddBeneficiaryDocument,
  ConsoleUpdateBeneficiaryDocument,
  type BeneficiaryInput,
  type BeneficiaryType,
  type ConsoleBeneficiaryFragment,
  type Relationship,
  type TaxIdType,
} from '../../generated/graphql.js';
import { CommandDialog } from '../../ui/command-dialog.js';
import { Select, TextField } from '../../ui/field.js';

const TYPES: readonly BeneficiaryType[] = ['PRIMARY', 'CONTINGENT'];
const TAX_ID_TYPES: readonly TaxIdType[] = ['SSN', 'ITIN', 'ATIN', 'EIN'];
const RELATIONSHIPS: readonly Relationship[] = [
  ...(['SPOUSE', 'CHILD', 'PARENT', 'SIBLING', 'FAMILY_RELATIVE'] as const),
  ...(['FRIEND', 'TRUST', 'CHARITY', 'ESTATE', 'OTHERS'] as const),
];

interface BeneficiaryDialogProps {
  readonly accountId: string;
  /** The one that is changed; a new one when absent. */
  readonly beneficiary?: ConsoleBeneficiaryFragment;
  readonly onClose: () => void;
}

/** Adds or changes a beneficiary. Of a changed one, addresses and further contacts stay as they are. */
export function BeneficiaryDialog({ accountId, beneficiary, onClose }: BeneficiaryDialogProps) {
  const [values, setValues] = useState(() => valuesOf(beneficiary));
  const set = (changed: Partial<Values>): void => setValues(last => ({ ...last, ...changed }));
  const name = `${values.first} ${values.last}`.trim();
  const fields = (errorAt: (pointer: string) => string | undefined) => (
    <Fields {...{ values, set, errorAt }} isNew={!beneficiary} />
  );
  if (beneficiary) {
    const { beneficiaryId } = beneficiary;
    return (
      <CommandDialog
        title={`Change ${name}`}
        verb="Save"
        size="wide"
        operation={ConsoleUpdateBeneficiaryDocument}
        variables={() => ({ accountId, beneficiaryId, input: inputOf(values) })}
        done={() => `${name} was changed.`}
        onClose={onClose}
      >
        {fields}
      </CommandDialog>
    );
  }
  return (
    <CommandDialog
      title="Add a beneficiary"
      verb="Add beneficiary"
      size="wide"
      operation={ConsoleAddBeneficiaryDocument}
      variables={() => ({ accountId, input: { ...inputOf(values), ...contactsOf(values) } })}
      done={() => `${name} is a beneficiary of ${accountId} now.`}
      onClose={onClose}
    >
      {fields}
    </CommandDialog>
  );
}

interface Values {
  readonly first: string;
  readonly middle: string;
  readonly last: string;
  readonly taxId: string;
  readonly taxIdType: TaxIdType;
  readonly dateOfBirth: string;
  readonly beneficiaryType: BeneficiaryType;
  readonly relationship: Relationship;
  readonly sharePercentage: string;
  readonly email: string;
  readonly phone: string;
  readonly line1: string;
  readonly city: string;
  readonly state: string;
  readonly postalCode: string;
  readonly country: string;
}

function valuesOf(beneficiary?: ConsoleBeneficiaryFragment): Values {
  const none = { email: '', phone: '', line1: '', city: '', state: '', postalCode: '', country: 'US' };
  return {
    first: beneficiary?.name.first ?? '',
    middle: beneficiary?.name.middle ?? '',
    last: beneficiary?.name.last ?? '',
    taxId: beneficiary?.taxId ?? '',
    taxIdType: beneficiary?.taxIdType ?? 'SSN',
    dateOfBirth: beneficiary?.dateOfBirth ?? '',
    beneficiaryType: beneficiary?.beneficiaryType ?? 'PRIMARY',
    relationship: beneficiary?.relationship ?? 'SPOUSE',
    sharePercentage: beneficiary ? String(beneficiary.sharePercentage) : '',
    ...none,
  };
}

/** An empty field is null, which clears it. The masked tax id that was shown changes nothing. */
function inputOf(values: Values): BeneficiaryInput {
  const { first, middle, last, taxId, taxIdType, dateOfBirth, beneficiaryType, relationship } = values;
  return {
    name: { first: first || null, middle: middle || null, last },
    taxId: taxId || null,
    taxIdType: taxId ? taxIdType : null,
    dateOfBirth: dateOfBirth || null,
    sharePercentage: Number(values.sharePercentage),
    beneficiaryType,
    relationship,
  };
}

function contactsOf(values: Values): Partial<BeneficiaryInput> {
  const { email, phone, line1, city, state, postalCode, country } = values;
  const hasAddress = Boolean(line1 || city);
  return {
    emails: email ? [{ type: 'PERSONAL', email }] : null,
    phones: phone ? [{ type: 'PERSONAL', number: phone }] : null,
    addresses: hasAddress
      ? [{ type: 'HOME', line1, city, state: state || null, postalCode: postalCode || null, country }]
      : null,
  };
}

interface FieldsProps {
  readonly values: Values;
  readonly set: (changed: Partial<Values>) => void;
  readonly errorAt: (pointer: string) => string | undefined;
  readonly isNew: boolean;
}

function Fields({ values, set, errorAt, isNew }: FieldsProps) {
  const text = (label: string, name: keyof Values, pointer: string, isOptional = false, maxLength = 100) => (
    <TextField
      key={name}
      {...{ label, isOptional, maxLength }}
      value={values[name]}
      onValue={value => set({ [name]: value })}
      error={errorAt(`/input/${pointer}`)}
    />
  );
  return (
    <>
      <fieldset>
        <legend>Person or organisation</legend>
        <div class="fields">
          {text('First name', 'first', 'name/first', true)}
          {text('Middle name', 'middle', 'name/middle', true)}
          {text('Last name, or name of the organisation', 'last', 'name/last')}
          <TextField
            label="Date of birth"
            type="date"
            isOptional
            value={values.dateOfBirth}
            onValue={dateOfBirth => set({ dateOfBirth })}
            error={errorAt('/input/dateOfBirth')}
          />
          {text('Tax id', 'taxId', 'taxId', true, 11)}
          <Select
            label="Kind of tax id"
            value={values.taxIdType}
            onValue={taxIdType => set({ taxIdType })}
            options={TAX_ID_TYPES}
            error={errorAt('/input/taxIdType')}
          />
        </div>
      </fieldset>
      <fieldset>
        <legend>Share</legend>
        <div class="fields">
          <Select
            label="Order"
            value={values.beneficiaryType}
            onValue={beneficiaryType => set({ beneficiaryType })}
            options={TYPES}
            error={errorAt('/input/beneficiaryType')}
          />
          <Select
            label="Relationship to the owner"
            value={values.relationship}
            onValue={relationship => set({ relationship })}
            options={RELATIONSHIPS}
            error={errorAt('/input/relationship')}
          />
          <TextField
            label="Share in percent"
            inputMode="numeric"
            value={values.sharePercentage}
            onValue={sharePercentage => set({ sharePercentage })}
            error={errorAt('/input/sharePercentage')}
            maxLength={3}
          />
        </div>
      </fieldset>
      {isNew && (
        <fieldset>
          <legend>Contact</legend>
          <div class="fields">
            {text('E-mail', 'email', 'emails/0/email', true, 254)}
            {text('Telephone', 'phone', 'phones/0/number', true, 40)}
            {text('Street and number', 'line1', 'addresses/0/line1', true, 200)}
            {text('City', 'city', 'addresses/0/city', true)}
            {text('State', 'state', 'addresses/0/state', true)}
            {text('Postal code', 'postalCode', 'addresses/0/postalCode', true, 20)}
            {text('Country', 'country', 'addresses/0/country', true, 2)}
          </div>
        </fieldset>
      )}
    </>
  );
}
