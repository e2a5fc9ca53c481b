import { ACCOUNT_ID } from '../account/account.rest.js';
import { ForeignMask } from '../person/person.errors.js';
import { orEmpty, ref } from '../../platform/input/json-schema.js';
import { answer } from '../../platform/openapi/operation.js';
import { FORMS, MASKED, list, oneOf } from '../../platform/openapi/schema.js';
import {
  NOT_LISTED,
  Beneficiary,
  BENEFICIARY_FIELDS,
  UNCONTRACTED,
  type BeneficiaryView,
} from './beneficiary.entity.js';
import { BeneficiaryNotFound, MAX_BENEFICIARIES, OtherBeneficiary } from './beneficiary.errors.js';
import { BeneficiaryChange, NewBeneficiaryRecord, patchOf } from './beneficiary.inputs.js';
import {
  ADD_BENEFICIARY,
  DELETE_BENEFICIARY,
  READ_BENEFICIARIES,
  UPDATE_BENEFICIARY,
} from './beneficiary.operations.js';
import { contractRecord } from '../../platform/http/json.js';
import { previousOffset, type Page, type PageRequest } from '../../shared/page.js';
import { pick } from '../../platform/repository/fields.js';
import type { BeneficiaryService } from './beneficiary.service.js';
import { restOver, type RestPart } from '../../platform/rest/rest.js';
import type { PathParameter } from '../../platform/rest/rest-words.js';

const ID = 'e1b429a2-df64-8f14-8412-4059b8002e92';
const BENEFICIARY_ID: PathParameter = {
  description: 'The id of the beneficiary, in upper or lower case.',
  schema: FORMS.UUID,
  example: ID,
  unknown: () => new BeneficiaryNotFound(),
};

/** The part of the example that the descriptions of the fields do not give. */
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
  limits: NewBeneficiaryRecord,
  omit: UNCONTRACTED,
  differs: { taxId: orEmpty(MASKED) },
  example: EXAMPLE,
};

/** The fields of a beneficiary in a list. */
const LISTED = BENEFICIARY_FIELDS.filter(name => !NOT_LISTED.includes(name));

interface Services {
  readonly beneficiaries: BeneficiaryService;
}
const rest = restOver<Services>();

/** Contract 4.1 to 4.5. */
export const beneficiaryRest: RestPart<Services> = {
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
      omit: [...UNCONTRACTED, ...NOT_LISTED],
    },
  ],
  operations: {
    listBeneficiaries: rest(READ_BENEFICIARIES, 'GET /accounts/{accountId}/beneficiaries', {
      summary: 'List beneficiaries',
      description: 'The beneficiaries of an account, in the order they were added, page by page.',
      path: { accountId: ACCOUNT_ID },
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
      run: ({ caller, path, page }, { beneficiaries }) => beneficiaries.page(caller, path.accountId, page),
      showPage: (page, request) => listToRest(request.path.accountId, request.page, page),
    }),
    addBeneficiary: rest(ADD_BENEFICIARY, 'POST /accounts/{accountId}/beneficiaries', {
      summary: 'Add a beneficiary',
      description: `Adds a beneficiary at the end of the list. An account has at most ${MAX_BENEFICIARIES}.`,
      path: { accountId: ACCOUNT_ID },
      versioned: true,
      body: {
        description: 'The new beneficiary.',
        input: NewBeneficiaryRecord,
        example: SENT,
      },
      run: ({ caller, path, body }, { beneficiaries }) => beneficiaries.add(caller, path.accountId, body),
      created: {
        at: ({ beneficiaryId }, { path }) =>
          `/accounts/${encodeURIComponent(path.accountId)}/beneficiaries/${beneficiaryId}`,
        example: `/accounts/demo-1001/beneficiaries/${ID}`,
      },
      answer: answer('The beneficiary that was added.', 'Beneficiary'),
      show: toRest,
    }),
    getBeneficiary: rest(READ_BENEFICIARIES, 'GET /accounts/{accountId}/beneficiaries/{beneficiaryId}', {
      summary: 'Get a beneficiary',
      description: 'One beneficiary with all its fields.',
      path: { accountId: ACCOUNT_ID, beneficiaryId: BENEFICIARY_ID },
      versioned: true,
      run: ({ caller, path }, { beneficiaries }) => beneficiaries.get(caller, path.accountId, path.beneficiaryId),
      answer: answer('The beneficiary.', 'Beneficiary'),
      show: toRest,
    }),
    updateBeneficiary: rest(UPDATE_BENEFICIARY, 'PATCH /accounts/{accountId}/beneficiaries/{beneficiaryId}', {
      summary: 'Change a beneficiary',
      description:
        'A JSON merge patch (RFC 7396): an absent field stays as it is, null or an empty string clears an optional field, and a list is replaced. A complete record that was read can be sent back: its masked tax id changes nothing.',
      path: { accountId: ACCOUNT_ID, beneficiaryId: BENEFICIARY_ID },
      versioned: true,
      body: {
        description: 'The changes.',
        input: BeneficiaryChange,
        example: { sharePercentage: 40, name: { middle: 'R' } },
        mergePatch: { dateOfBirth: null },
      },
      refusals: () => [new ForeignMask(), new OtherBeneficiary()],
      run: ({ caller, path: { accountId, beneficiaryId }, body, versions }, { beneficiaries }) =>
        beneficiaries.update(caller, accountId, { beneficiaryId, patch: patchOf(body, beneficiaryId), versions }),
      answer: answer('The beneficiary after the change.', 'Beneficiary'),
      show: toRest,
    }),
    deleteBeneficiary: rest(DELETE_BENEFICIARY, 'DELETE /accounts/{accountId}/beneficiaries/{beneficiaryId}', {
      summary: 'Delete a beneficiary',
      description: 'Deletes a beneficiary and returns the deleted record.',
      path: { accountId: ACCOUNT_ID, beneficiaryId: BENEFICIARY_ID },
      versioned: true,
      run: ({ caller, path: { accountId, beneficiaryId }, versions }, { beneficiaries }) =>
        beneficiaries.delete(caller, accountId, { beneficiaryId, versions }),
      answer: answer('The deleted beneficiary.', 'Beneficiary'),
      show: toRest,
    }),
  },
};

/** Contract 2.1. */
function toRest(beneficiary: BeneficiaryView): object {
  return contractRecord(pick(beneficiary, BENEFICIARY_FIELDS));
}

function listToRest(
  accountId: string,
  { offset, limit }: PageRequest,
  { items, total }: Page<BeneficiaryView>,
): object {
  const next = offset + limit;
  const hasNext = next < total;
  const previous = previousOffset({ offset, limit }, total);
  return {
    accountBeneficiaries: items.map(item => contractRecord(pick(item, LISTED))),
    page: {
      ...(hasNext && { nextOffset: String(next) }),
      ...(previous !== null && { prevOffset: String(previous) }),
      totalElements: total,
    },
    links: hasNext
      ? {
          next: {
            href: `/accounts/${encodeURIComponent(accountId)}/beneficiaries?offSet=${next}&limit=${limit}`,
            action: 'GET',
            rel: 'next',
            types: ['application/json'],
          },
        }
      : {},
  };
}
