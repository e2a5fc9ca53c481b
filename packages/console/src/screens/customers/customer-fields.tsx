import type { AddressInput, AddressType, PhoneInput, PhoneType, TaxStatus } from '../../generated/graphql.js';
import { Select, TextField } from '../../ui/field.js';
import { Repeated } from '../../ui/repeated.js';
import { words } from '../../ui/words.js';
import type { CustomerValues } from './customer-values.js';

const MAX_CONTACTS = 10;
const ADDRESS_TYPES: readonly AddressType[] = ['HOME', 'BUSINESS', 'DELIVERY', 'MAILING'];
const PHONE_TYPES: readonly PhoneType[] = ['CELL', 'HOME', 'BUSINESS', 'PERSONAL', 'FAX'];
const TAX_STATUSES: readonly TaxStatus[] = ['CERTIFIED', 'UNCERTIFIED', 'FOREIGN'];
const NEW_ADDRESS: AddressInput = { type: 'HOME', line1: '', city: '', state: '', postalCode: '', country: 'US' };
const NEW_PHONE: PhoneInput = { type: 'CELL', number: '' };
const UNCHANGED = 'Masked. As it is, it stays on record.';

interface CustomerFieldsProps {
  readonly values: CustomerValues;
  readonly set: (changes: Partial<CustomerValues>) => void;
  readonly errorAt: (pointer: string) => string | undefined;
  readonly isNew: boolean;
}

/** All that is on record of a person. */
export function CustomerFields(props: CustomerFieldsProps) {
  return (
    <>
      <Person {...props} />
      <Contact {...props} />
      <Addresses {...props} />
      <Taxes {...props} />
    </>
  );
}

function Person({ values, set, errorAt, isNew }: CustomerFieldsProps) {
  return (
    <fieldset>
      <legend>Person</legend>
      <div class="fields">
        <TextField
          label="First name"
          isOptional
          value={values.first}
          onValue={first => set({ first })}
          error={errorAt('/input/name/first')}
          maxLength={100}
          autoFocus
        />
        <TextField
          label="Middle name"
          isOptional
          value={values.middle}
          onValue={middle => set({ middle })}
          error={errorAt('/input/name/middle')}
          maxLength={100}
        />
        <TextField
          label="Last name"
          value={values.last}
          onValue={last => set({ last })}
          error={errorAt('/input/name/last')}
          maxLength={100}
        />
        <TextField
          label="Customer number"
          isOptional
          hint="Under which the bank knows the customer."
          value={values.bankNumber}
          onValue={bankNumber => set({ bankNumber })}
          error={errorAt('/input/bankNumber')}
          maxLength={64}
        />
        <TextField
          label="Date of birth"
          type="date"
          isOptional
          hint={isNew ? undefined : 'Empty leaves what is on record.'}
          value={values.dateOfBirth}
          onValue={dateOfBirth => set({ dateOfBirth })}
          error={errorAt('/input/dateOfBirth')}
        />
        <TextField
          label="Tax id"
          isOptional
          hint={isNew ? undefined : UNCHANGED}
          value={values.taxId}
          // A tax id of the bank's own country is the rule.
          onValue={taxId => set({ taxId, taxIdCountry: taxId ? values.taxIdCountry || 'US' : '' })}
          error={errorAt('/input/taxId')}
          maxLength={24}
        />
        <TextField
          label="Country of the tax id"
          isOptional
          placeholder="US"
          value={values.taxIdCountry}
          onValue={taxIdCountry => set({ taxIdCountry })}
          error={errorAt('/input/taxIdCountry')}
          maxLength={2}
        />
        <TextField
          label="Government id"
          isOptional
          hint={isNew ? 'Of a passport or the like.' : UNCHANGED}
          value={values.governmentId}
          onValue={governmentId => set({ governmentId })}
          error={errorAt('/input/governmentId')}
          maxLength={40}
        />
      </div>
    </fieldset>
  );
}

function Contact({ values: { emails, telephones }, set, errorAt }: CustomerFieldsProps) {
  return (
    <>
      <Repeated
        legend="E-mail"
        noun="e-mail"
        items={emails}
        onItems={changed => set({ emails: changed })}
        fresh={{ email: '' }}
        max={MAX_CONTACTS}
      >
        {({ email }, change, index) => (
          <TextField
            label="E-mail address"
            type="email"
            value={email}
            onValue={text => change({ email: text })}
            error={errorAt(`/input/contact/email/${index}`)}
            maxLength={254}
          />
        )}
      </Repeated>
      <Repeated
        legend="Telephones"
        noun="telephone"
        items={telephones}
        onItems={changed => set({ telephones: changed })}
        fresh={NEW_PHONE}
        max={MAX_CONTACTS}
      >
        {({ type, number }, change, index) => (
          <>
            <TextField
              label="Number"
              type="tel"
              value={number}
              onValue={text => change({ number: text })}
              error={errorAt(`/input/contact/telephones/${index}/number`)}
              maxLength={40}
            />
            <Select
              label="Kind of telephone"
              value={type}
              onValue={kind => change({ type: kind })}
              options={PHONE_TYPES}
            />
          </>
        )}
      </Repeated>
    </>
  );
}

const ADDRESS_FIELDS = [
  ['line1', 'Street and number', 200, false],
  ['line2', 'Second line', 200, true],
  ['line3', 'Third line', 200, true],
  ['city', 'City', 100, false],
  ['state', 'State', 100, true],
  ['postalCode', 'Postal code', 20, true],
  ['country', 'Country', 2, false],
] as const;

function Addresses({ values: { addresses }, set, errorAt }: CustomerFieldsProps) {
  return (
    <Repeated
      legend="Addresses"
      noun="address"
      items={addresses}
      onItems={changed => set({ addresses: changed })}
      fresh={NEW_ADDRESS}
      max={MAX_CONTACTS}
    >
      {(address, change, index) => (
        <>
          <Select
            label="Kind of address"
            value={address.type}
            onValue={type => change({ type })}
            options={ADDRESS_TYPES}
          />
          {ADDRESS_FIELDS.map(([name, label, maxLength, isOptional]) => (
            <TextField
              key={name}
              {...{ label, maxLength, isOptional }}
              value={address[name] ?? ''}
              onValue={text => change({ [name]: text })}
              error={errorAt(`/input/addresses/${index}/${name}`)}
            />
          ))}
        </>
      )}
    </Repeated>
  );
}

function Taxes({ values, set, errorAt }: CustomerFieldsProps) {
  return (
    <fieldset>
      <legend>Taxes</legend>
      <div class="fields">
        <Select
          label="Tax status"
          value={values.taxStatus}
          onValue={taxStatus => set({ taxStatus })}
          options={[['', 'Not recorded'], ...TAX_STATUSES.map(one => [one, words(one)] as const)]}
          error={errorAt('/input/taxStatus')}
        />
        <TextField
          label="Tax status from"
          type="date"
          isOptional
          value={values.taxStatusOn}
          onValue={taxStatusOn => set({ taxStatusOn })}
          error={errorAt('/input/taxStatusOn')}
        />
        <TextField
          label="Second TIN notice on"
          type="date"
          isOptional
          value={values.secondTinNoticeOn}
          onValue={secondTinNoticeOn => set({ secondTinNoticeOn })}
          error={errorAt('/input/secondTinNoticeOn')}
        />
        <TextField
          label="Electronic tax forms since"
          type="date"
          isOptional
          hint="The day of the consent."
          value={values.electronicTaxFormsOn}
          onValue={electronicTaxFormsOn => set({ electronicTaxFormsOn })}
          error={errorAt('/input/electronicTaxFormsOn')}
        />
      </div>
    </fieldset>
  );
}
