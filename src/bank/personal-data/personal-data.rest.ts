import { ACCOUNT_ID } from '../account/account.rest.js';
import { MAX_GOVERNMENT_ID_CHARACTERS } from '../owner/owner.entity.js';
import { MAX_EMAIL_CHARACTERS, MAX_TAX_ID_CHARACTERS } from '../owner/owner.rest-record.js';
import { MAX_CONTACTS } from '../person/person.inputs.js';
import { answer } from '../../platform/openapi/operation.js';
import { RevealedPersonalData } from './personal-data.entity.js';
import { NotOnePerson } from './personal-data.errors.js';
import { RevealRecord } from './personal-data.inputs.js';
import { REVEAL_PERSONAL_DATA } from './personal-data.operations.js';
import { contractRecord } from '../../platform/http/json.js';
import type { PersonalDataService } from './personal-data.service.js';
import { restOver, type RestPart } from '../../platform/rest/rest.js';

const CUSTOMER = '0000d001-0000-4000-8000-000000000000';

interface Services {
  readonly personalData: PersonalDataService;
}
const rest = restOver<Services>();

/** Personal data as it is, for operators who say why they must see it. */
export const personalDataRest: RestPart<Services> = {
  tag: { name: 'Personal data', description: 'Personal data of owners and beneficiaries, unmasked and on record.' },
  records: [
    {
      of: RevealedPersonalData,
      differs: {
        taxId: { maxLength: MAX_TAX_ID_CHARACTERS },
        governmentId: { maxLength: MAX_GOVERNMENT_ID_CHARACTERS },
        addresses: { maxItems: MAX_CONTACTS },
        emails: { items: { type: 'string', maxLength: MAX_EMAIL_CHARACTERS }, maxItems: MAX_CONTACTS },
        phones: { maxItems: MAX_CONTACTS },
      },
      example: {
        name: {
          first: 'Maren',
          middle: 'K',
          last: 'Voss',
        },
        dateOfBirth: '1970-02-03',
        taxId: '900126789',
        governmentId: 'P87654321',
        addresses: [],
        emails: ['maren@example.com'],
        phones: [],
      },
    },
  ],
  operations: {
    revealPersonalData: rest(REVEAL_PERSONAL_DATA, 'POST /accounts/{accountId}/reveal', {
      summary: 'Reveal personal data',
      description:
        'Shows the personal data of an owner or a beneficiary of the account unmasked, and records who saw it and why. Each time is an event, a retry with the same idempotency key as well: the data is read anew.',
      path: { accountId: ACCOUNT_ID },
      body: {
        description: 'Whose personal data, and why.',
        input: RevealRecord,
        example: { customerId: CUSTOMER, reason: 'Caller asked for a callback' },
      },
      refusals: () => [new NotOnePerson()],
      run: ({ caller, path, body }, { personalData }) => personalData.reveal(caller, path.accountId, body),
      answer: answer('The personal data.', 'RevealedPersonalData'),
      show: contractRecord,
    }),
  },
};
