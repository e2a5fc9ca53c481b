import { ACCOUNT_ID } from '../account/account.openapi.js';
import { ForeignMask } from '../person/person.errors.js';
import { orEmpty, ref } from '../../platform/input/json-schema.js';
import { answer, parameter, type Parameter, type Part } from '../../platform/openapi/operation.js';
import { IF_MATCH, IF_NONE_MATCH, NOT_MODIFIED, TAGGED, location } from '../../platform/openapi/headers.js';
import { FORMS, MASKED, list, oneOf } from '../../platform/openapi/schema.js';
import { PreconditionFailed } from '../../shared/errors.js';
import { NOT_LISTED, Beneficiary } from './beneficiary.entity.js';
import { BeneficiaryNotFound, MAX_BENEFICIARIES, OtherBeneficiary } from './beneficiary.errors.js';
import { BeneficiaryChange, BeneficiaryInput } from './beneficiary.inputs.js';
import {
  ADD_BENEFICIARY,
  DELETE_BENEFICIARY,
  READ_BENEFICIARIES,
  UPDATE_BENEFICIARY,
} from './beneficiary.operations.js';

const LIST = '/accounts/{accountId}/beneficiaries';
const ONE = '/accounts/{accountId}/beneficiaries/{beneficiaryId}';

const ID = 'e1b429a2-df64-8f14-8412-4059b8002e92';
const BENEFICIARY_ID: Parameter = {
  ...parameter('path', 'beneficiaryId', 'The id of the beneficiary, in upper or lower case.', FORMS.UUID, ID),
  unknown: () => new BeneficiaryNotFound(),
};

/** What the descriptions of the fields do not give. */
const EXAMPLE = {
  name: { first: 'Juniper', middle: '', last: 'Ashdown' },
  taxId: '*****1025',
  dateOfBirth: '1991-02-13',
  addresses: [{ line1: '508 Old Lanternworks Street', city: 'Cinderford Heights', state: 'IL', postalCode: '00422' }],
  emails: [{ type: 'PERSONAL', email: 'beneficiary.1026@example.test' }],
  phones: [{ type: 'CELL', country: 'US', number: '+1 312 555 0156' }],
  relationship: 'CHILD',
  sharePercentage: 50,
};
const SENT = { ...EXAMPLE, taxId: '900-12-1025', taxIdType: 'SSN' };

const shown = {
  of: Beneficiary,
  limits: BeneficiaryInput,
  omit: ['version'],
  differs: { taxId: orEmpty(MASKED) },
  example: EXAMPLE,
};

/** Contract 4.1 to 4.5. */
export const beneficiaryApi: Part = {
  tag: {
    name: 'Beneficiaries',
    description:
      'The people and organisations that receive a share of an account when its owner dies (pay on death). They are not payees.',
  },
  records: [
    shown,
    {
      ...shown,
      name: 'BeneficiaryListItem',
      description: 'A beneficiary in a list.',
      omit: ['version', ...NOT_LISTED],
    },
  ],
  operations: {
    listBeneficiaries: {
      route: `GET ${LIST}`,
      summary: 'List beneficiaries',
      description: 'The beneficiaries of an account, in the order they were added, page by page.',
      of: READ_BENEFICIARIES,
      parameters: [ACCOUNT_ID],
      page: {
        name: 'BeneficiaryPage',
        description: 'A page of the beneficiaries of an account.',
        elements: [
          'accountBeneficiaries',
          'The beneficiaries of the page, in the order they were added.',
          ref('BeneficiaryListItem'),
        ],
        next: '/accounts/demo-1001/beneficiaries?offSet=1&limit=1',
        hasPrevious: true,
        link: {
          action: oneOf(['GET'], 'The HTTP method of the link.'),
          rel: oneOf(['next'], 'The relation of the link to this page.'),
          types: list(oneOf(['application/json'], 'A content type.'), 'The content types of the page.', 1),
        },
      },
    },
    addBeneficiary: {
      route: `POST ${LIST}`,
      summary: 'Add a beneficiary',
      description: `Adds a beneficiary at the end of the list. An account has at most ${MAX_BENEFICIARIES}.`,
      of: ADD_BENEFICIARY,
      parameters: [ACCOUNT_ID],
      body: {
        description: 'The new beneficiary.',
        input: BeneficiaryInput,
        content: { 'application/json': { example: SENT } },
        wrong: [{ sharePercentage: 'half', colour: 'red' }, { sharePercentage: 101 }],
      },
      answers: {
        201: answer('The beneficiary that was added.', 'Beneficiary', undefined, {
          ...location(`/accounts/demo-1001/beneficiaries/${ID}`),
          ...TAGGED,
        }),
      },
    },
    getBeneficiary: {
      route: `GET ${ONE}`,
      summary: 'Get a beneficiary',
      description: 'One beneficiary with all its fields.',
      of: READ_BENEFICIARIES,
      parameters: [ACCOUNT_ID, BENEFICIARY_ID, IF_NONE_MATCH, IF_MATCH],
      answers: { 200: answer('The beneficiary.', 'Beneficiary', undefined, TAGGED), 304: NOT_MODIFIED },
      refusals: () => [new PreconditionFailed()],
    },
    updateBeneficiary: {
      route: `PATCH ${ONE}`,
      summary: 'Change a beneficiary',
      description:
        'A JSON merge patch (RFC 7396): an absent field stays as it is, null or an empty string clears an optional field, and a list is replaced. A complete record that was read can be sent back: its masked tax id changes nothing.',
      of: UPDATE_BENEFICIARY,
      parameters: [ACCOUNT_ID, BENEFICIARY_ID, IF_MATCH],
      body: {
        description: 'The changes.',
        input: BeneficiaryChange,
        content: {
          'application/json': { example: { sharePercentage: 40, name: { middle: 'R' } } },
          'application/merge-patch+json': { example: { dateOfBirth: null } },
        },
        wrong: [{ sharePercentage: 'half' }],
      },
      answers: { 200: answer('The beneficiary after the change.', 'Beneficiary', undefined, TAGGED) },
      refusals: () => [new ForeignMask(), new OtherBeneficiary()],
    },
    deleteBeneficiary: {
      route: `DELETE ${ONE}`,
      summary: 'Delete a beneficiary',
      description: 'Deletes a beneficiary and returns the deleted record.',
      of: DELETE_BENEFICIARY,
      parameters: [ACCOUNT_ID, BENEFICIARY_ID, IF_MATCH],
      answers: { 200: answer('The deleted beneficiary.', 'Beneficiary') },
    },
  },
};
