import {
  BeneficiaryType,
  ConsoleAddBeneficiaryDocument,
  ConsoleUpdateBeneficiaryDocument,
  Relationship,
  TaxIdType,
  type BeneficiaryInput,
  type ConsoleBeneficiaryFragment,
} from '../../generated/graphql.js';
import { CommandDialog } from '../../ui/command-dialog.js';
import { inputOf, useForm, type FieldsByName, type FieldsOf, type Values } from '../../ui/form.js';

const FIELDS = {
  'name/first': { legend: 'Person or organisation', label: 'First name', isOptional: true, maxLength: 100 },
  'name/middle': { label: 'Middle name', isOptional: true, maxLength: 100 },
  'name/last': { label: 'Last name, or name of the organisation', maxLength: 100 },
  dateOfBirth: { label: 'Date of birth', type: 'date', isOptional: true },
  // The masked tax id that was shown changes nothing.
  taxId: { label: 'Tax id', isOptional: true, maxLength: 11 },
  taxIdType: { label: 'Kind of tax id', options: Object.values(TaxIdType) },
  beneficiaryType: { legend: 'Share', label: 'Order', options: Object.values(BeneficiaryType) },
  relationship: { label: 'Relationship to the owner', options: Object.values(Relationship) },
  sharePercentage: { label: 'Share in percent', inputMode: 'numeric', maxLength: 3, send: Number },
} as const satisfies FieldsOf<BeneficiaryInput>;

/** The contact in the form. Addresses and further contacts of a changed beneficiary stay as they are. */
const CONTACT = {
  'emails/0/email': { legend: 'Contact', label: 'E-mail', isOptional: true, maxLength: 254 },
  'phones/0/number': { label: 'Telephone', isOptional: true, maxLength: 40 },
  'addresses/0/line1': { label: 'Street and number', isOptional: true, maxLength: 200 },
  'addresses/0/city': { label: 'City', isOptional: true, maxLength: 100 },
  'addresses/0/state': { label: 'State', isOptional: true, maxLength: 100 },
  'addresses/0/postalCode': { label: 'Postal code', isOptional: true, maxLength: 20 },
  'addresses/0/country': { label: 'Country', isOptional: true, maxLength: 2 },
} as const satisfies FieldsByName;

interface BeneficiaryDialogProps {
  readonly accountId: string;
  /** The one that is changed; a new one when absent. */
  readonly beneficiary?: ConsoleBeneficiaryFragment;
  readonly onClose: () => void;
}

/** Adds or changes a beneficiary. */
export function BeneficiaryDialog({ accountId, beneficiary, onClose }: BeneficiaryDialogProps) {
  return beneficiary ? <Change {...{ accountId, beneficiary, onClose }} /> : <Add {...{ accountId, onClose }} />;
}

function Add({ accountId, onClose }: BeneficiaryDialogProps) {
  const form = useForm(
    { ...FIELDS, ...CONTACT },
    { from: { addresses: [{ country: 'US' }] }, at: '/input/beneficiary' },
  );
  return (
    <CommandDialog
      title="Add a beneficiary"
      verb="Add beneficiary"
      size="wide"
      operation={ConsoleAddBeneficiaryDocument}
      form={form}
      variables={() => ({ accountId, input: { ...sent(form.values), ...contactsOf(form.values) } })}
      done={() => `${nameIn(form.values)} is a beneficiary of ${accountId} now.`}
      onClose={onClose}
    />
  );
}

function Change({ accountId, beneficiary, onClose }: Required<BeneficiaryDialogProps>) {
  const form = useForm(FIELDS, { from: beneficiary, at: '/input/patch' });
  const { beneficiaryId } = beneficiary;
  return (
    <CommandDialog
      title={`Change ${nameIn(form.values)}`}
      verb="Save"
      size="wide"
      operation={ConsoleUpdateBeneficiaryDocument}
      form={form}
      variables={() => ({ accountId, beneficiaryId, input: sent(form.values) })}
      done={() => `${nameIn(form.values)} was changed.`}
      onClose={onClose}
    />
  );
}

function nameIn(values: Values): string {
  return `${String(values['name/first'])} ${String(values['name/last'])}`.trim();
}

function sent(values: Values) {
  const input = inputOf(FIELDS, values);
  return { ...input, taxIdType: input.taxId === null ? null : input.taxIdType };
}

function contactsOf(values: Values): Partial<BeneficiaryInput> {
  const { emails, phones, addresses } = inputOf(CONTACT, values);
  const [{ email }, { number }, { line1, city, country, ...place }] = [emails[0], phones[0], addresses[0]];
  return {
    emails: email ? [{ type: 'PERSONAL', email }] : null,
    phones: number ? [{ type: 'PERSONAL', number }] : null,
    addresses:
      line1 || city ? [{ type: 'HOME', line1: line1 ?? '', city: city ?? '', country: country ?? '', ...place }] : null,
  };
}
