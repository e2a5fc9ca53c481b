import { orEmpty, ref } from '../../platform/input/json-schema.js';
import type { RestRecord } from '../../platform/openapi/record-schema.js';
import { MASKED, text } from '../../platform/openapi/schema.js';
import { Contact, MAX_GOVERNMENT_ID_CHARACTERS, Owner } from './owner.entity.js';
import { ContactInput, MAX_EMAIL_CHARACTERS } from './customer.inputs.js';

export { MAX_EMAIL_CHARACTERS, MAX_TAX_ID_CHARACTERS } from './customer.inputs.js';

/** An owner as REST shows it, and how it is reached. */
export const OWNER = {
  of: Owner,
  omit: ['isPrimary'],
  differs: {
    name: ref('PersonName', 'The name of the owner.'),
    taxId: orEmpty(MASKED),
    governmentId: orEmpty(
      text('The number of an identity document, masked unless the token has the scope `pii.read`.', {
        maxLength: MAX_GOVERNMENT_ID_CHARACTERS,
      }),
    ),
    contact: ref('Contact', 'E-mail addresses and telephone numbers of the owner.'),
  },
} as const satisfies RestRecord;

export const CONTACT: RestRecord = {
  of: Contact,
  limits: ContactInput,
  differs: { email: { items: { type: 'string', maxLength: MAX_EMAIL_CHARACTERS } } },
};
