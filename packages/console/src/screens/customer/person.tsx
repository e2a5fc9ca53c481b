import { Card } from '../../ui/card.js';
import { Facts } from '../../ui/facts.js';
import { addressLine } from '../../ui/person.js';
import { Day, Time } from '../../ui/time.js';
import { words } from '../../ui/words.js';
import type { Customer } from '../customers/customer-fields.js';

/** Shows the record of a customer, masked. */
export function Person({ customer }: { readonly customer: Customer }) {
  const {
    bankNumber,
    erasedAt,
    taxId,
    taxIdCountry,
    governmentId,
    secondTinNoticeOn,
    electronicTaxFormsOn,
    contact,
    addresses,
  } = customer;
  return (
    <Card title="Person">
      {erasedAt != null && (
        <p class="note info">
          The personal data was erased on <Time at={erasedAt} />.
        </p>
      )}
      <Facts
        isLines
        facts={[
          ...contact.email.map(address => ['E-mail', address] as const),
          ...contact.telephones.map(({ type, number }) => [`${words(type)} phone`, number] as const),
          ...addresses.map(address => [`${words(address.type)} address`, addressLine(address)] as const),
          bankNumber != null && ['Customer number', bankNumber],
          ['Government id', governmentId ?? 'None'],
          ['Tax id', taxId ? `${taxId} (${taxIdCountry ?? ''})` : 'None'],
          ['Tax status', <TaxStatus customer={customer} />],
          secondTinNoticeOn != null && ['Second TIN notice', <Day on={secondTinNoticeOn} />],
          [
            'Tax forms',
            electronicTaxFormsOn == null ? (
              'By post'
            ) : (
              <>
                Electronic, consent of <Day on={electronicTaxFormsOn} />
              </>
            ),
          ],
        ]}
      />
    </Card>
  );
}

function TaxStatus({ customer: { taxStatus, taxStatusOn } }: { readonly customer: Customer }) {
  if (taxStatus == null || taxStatusOn == null) return <>Not recorded</>;
  return (
    <>
      {words(taxStatus)}, from <Day on={taxStatusOn} />
    </>
  );
}
