import type { EventFacts } from '../../../platform/command/command.js';
import type { EventType, FactsByName } from '../../../platform/feed/event-types.js';
import type { JsonSchema } from '../../../platform/input/json-schema.js';
import { list, oneOf, text, value } from '../../../platform/openapi/schema.js';
import type { ApprovalChange } from '../../../shared/approval.js';
import { decimalOf } from '../../../shared/money.js';
import { fieldNamesOf } from '../../../platform/repository/fields.js';
import { AccountStatus, AccountType, type AccountView } from '../account.entity.js';
import { AccountPatch } from './administration.inputs.js';

/** The fields of an account that its events have. */
type AccountEventFields = Pick<
  AccountView,
  'accountId' | 'accountType' | 'currency' | 'timeZone' | 'status' | 'interestBearing' | 'openedOn'
> & {
  readonly overdraftLimitMinor: bigint | string;
};

/** The event of an account that is opened, by a request or by an import. */
export function openedFacts(account: AccountEventFields, customerIds: readonly string[]): EventFacts {
  const { accountId, accountType, currency, status, interestBearing, openedOn } = account;
  return {
    object: `account/${accountId}`,
    data: {
      accountType,
      currency,
      status,
      interestBearing,
      openedOn,
      customerIds,
      overdraftLimit: limitOf(account),
    },
  };
}

type ChangeableFields = Omit<AccountEventFields, 'status' | 'openedOn'>;

/**
 * The event of fields of an account that change, by a request or by an import, with what they were before. `changed`
 * are the fields that were sent.
 */
export function updatedFacts(
  account: ChangeableFields,
  changed: readonly string[],
  before: ChangeableFields,
): EventFacts {
  const [then, now] = [changeableOf(before), changeableOf(account)];
  const former = Object.entries(then).filter(([name, was]) => now[name as keyof typeof now] !== was);
  return { object: `account/${account.accountId}`, data: { changed, ...now, before: Object.fromEntries(former) } };
}

/** The fields of an account that change, for those who approve it. */
export function approvalChanges(account: ChangeableFields, before: ChangeableFields): ApprovalChange[] {
  const then = changeableOf(before);
  return Object.entries(changeableOf(account)).flatMap(([field, after]) => {
    const was = then[field as keyof typeof then];
    return was === after ? [] : [{ field, before: String(was), after: String(after) }];
  });
}

function changeableOf(account: ChangeableFields) {
  const { accountType, interestBearing, timeZone } = account;
  return { accountType, interestBearing, timeZone, overdraftLimit: limitOf(account) };
}

function limitOf({
  overdraftLimitMinor,
  currency,
}: Pick<AccountEventFields, 'overdraftLimitMinor' | 'currency'>): string {
  return decimalOf(BigInt(overdraftLimitMinor), currency);
}

/** As many cards as an account may have. */
const MAX_CARDS_TOLD = 100;

const TYPE = oneOf(Object.keys(AccountType), 'The purpose of the money.');
const BEARS_INTEREST = value('Boolean', 'True if the account earns interest.');
const TIME_ZONE = text('The time zone of the account, such as America/New_York.');
const STATUS = oneOf(Object.keys(AccountStatus), 'The status of the account after the event.');

/**
 * Describes the event of what an operator did to an account. Its reason and its limits are on record, and are no facts
 * for readers.
 */
function accountEvent(
  type: string,
  action: string,
  description: string,
  facts: Readonly<Record<string, JsonSchema>>,
  example: FactsByName,
  optional: readonly string[] = [],
): EventType {
  return {
    type: `account.${type}`,
    action: `account.${action}`,
    description,
    scope: 'accounts.read',
    facts,
    example,
    optional,
  };
}

export const OPERATION_EVENTS: readonly EventType[] = [
  accountEvent(
    ...(['opened', 'open', 'An account was opened.'] as const),
    {
      accountType: TYPE,
      currency: value('Currency', 'The currency of the account.'),
      interestBearing: BEARS_INTEREST,
      openedOn: value('LocalDate', 'The day on which the account was opened.'),
      status: STATUS,
    },
    { accountType: 'SAVINGS', currency: 'USD', interestBearing: true, openedOn: '2026-03-31', status: 'OPEN' },
  ),
  accountEvent(
    ...(['updated', 'update', 'An account was changed.'] as const),
    {
      changed: list(
        text('A field, such as accountType.'),
        'The fields that were sent; of an import those that changed.',
        fieldNamesOf(AccountPatch).length,
      ),
      accountType: TYPE,
      timeZone: TIME_ZONE,
      interestBearing: BEARS_INTEREST,
    },
    { changed: ['interestBearing'], accountType: 'SAVINGS', timeZone: 'America/New_York', interestBearing: true },
    // Events of before a zone could change have none.
    ['timeZone'],
  ),
  accountEvent(
    ...(['restricted', 'restrict', 'The bank restricted an account: it gets no holds and no new cards.'] as const),
    { status: STATUS },
    { status: 'RESTRICTED' },
  ),
  accountEvent(
    ...(['unrestricted', 'unrestrict', 'The restriction of an account was lifted.'] as const),
    { status: STATUS },
    { status: 'OPEN' },
  ),
  accountEvent(
    ...([
      'closed',
      'close',
      'An account was closed, and its cards with it: each card has an event of its own.',
    ] as const),
    {
      status: STATUS,
      cardIds: list(value('ID', 'The id of a card.'), 'The cards that were closed with the account.', MAX_CARDS_TOLD),
    },
    { status: 'CLOSED', cardIds: ['card-1001-1'] },
  ),
];
