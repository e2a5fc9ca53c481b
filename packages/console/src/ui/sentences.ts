import type { CommandName } from './codes.js';
import { happened, personNamed, requestOf, type Actor } from './happened.js';
import { grouped } from './money.js';
import { dayText } from './time.js';
import { words } from './words.js';

/** An event, as far as a sentence about it needs it. */
export interface ToldEvent {
  readonly type?: string | null;
  readonly accountId?: string | null;
  readonly object?: string | null;
  readonly audit?: {
    readonly action: string;
    readonly outcome: string;
    readonly clientId: string;
    readonly subject: string;
    readonly requestId: string;
    readonly data: Readonly<Record<string, unknown>>;
  } | null;
}

/**
 * The words for what was done, behind the name of who did it. `{…}` is the account, the id of the object, or a fact of
 * the event.
 */
const DONE: Readonly<Record<CommandName, string> & Record<string, string>> = {
  'account.open': 'opened {account}',
  'account.update': 'changed {account}: {changed}',
  'account.restrict': 'restricted {account}: {reason}',
  'account.unrestrict': 'lifted the restriction of {account}',
  'account.close': 'closed {account}: {reason}',
  'account.end': 'deleted account {id}, whose retention is over',
  'approval.approve': 'approved the request: {command}',
  'approval.reject': 'rejected the request: {command}',
  'approval.request': 'asked for an approval: {command}',
  'approval.expire': 'let a request expire: {command}',
  'beneficiary.add': 'added a beneficiary to {account}',
  'beneficiary.update': 'changed a beneficiary of {account}',
  'beneficiary.delete': 'deleted a beneficiary of {account}',
  'card.create': 'created card {last4} of {account}',
  'card.activate': 'activated card {last4} of {account}',
  'card.freeze': 'froze card {last4} of {account}',
  'card.unfreeze': 'unfroze card {last4} of {account}',
  'card.report': 'reported card {last4} of {account} as {status}',
  'card.close': 'closed card {last4} of {account}',
  'card.refuse_purchase': 'was refused a purchase of {amount} {currency} with card {last4} of {account}: {why}',
  'console.sign_in': 'signed in',
  'console.sign_out': 'signed {person} out',
  'customer.create': 'added a customer',
  'customer.update': 'changed a customer: {changed}',
  'customer.note': 'wrote a note about a customer',
  'customer.erase': 'erased the personal data of a customer: {reason}',
  'customer.export': 'wrote all that is on record about a customer into a file: {reason}',
  'hold.place': 'placed a hold of {amount} {currency} on {account}',
  'hold.capture': 'captured {amount} {currency} of a hold on {account}',
  'hold.release': 'released a hold of {amount} {currency} on {account}',
  'hold.expire': 'let a hold of {amount} {currency} on {account} expire',
  'note.add': 'wrote a note about {account}',
  'owner.add': 'added owners to {account}',
  'owner.remove': 'removed owners from {account}',
  'personal_data.reveal': 'revealed personal data: {reason}',
  'personal_data.search': 'searched for personal data',
  'program.create': 'made the record of the program',
  'program.update': 'changed the program: {changed}',
  'record.import': 'imported {id}: {read} lines, {written} written, {rejected} rejected',
  'statement.add': 'uploaded a statement of {statementDate} to {account}',
  'statement.issue': 'issued the {documentType} of {statementDate} to {account}',
  'statement_run.start': 'started to issue the documents of {period}',
  'statement_run.stop': 'stopped issuing the documents of {period}',
  'statement_run.rerun': 'ran {period} again',
  'token.revoke': 'revoked access tokens: {kind} {value}',
  'transaction.import': 'imported {transactions} transactions of {account}',
  'transaction.post': 'posted {transactions} transactions to {account}',
  'transaction.reverse': 'reversed {amount} {currency} of {account}: {reason}',
  'transfer_limits.change': 'set the limits of {account}',
  'tax_filing.change': 'brought the {kind} filing of {taxYear} to {state}',
  'tax_filing.download': 'fetched a file of returns for the IRS',
  'transfer.make': 'moved {amount} {currency} from {fromAccountId} to {toAccountId}',
  'transfer.reverse': 'moved {amount} {currency} back from {toAccountId} to {fromAccountId}',
  'webhook_delivery.resend': 'sent a webhook again: {type}',
  'webhook_endpoint.create': 'added the webhook endpoint {host}',
  'webhook_endpoint.update': 'changed the webhook endpoint {host}',
  'webhook_endpoint.enable': 'enabled the webhook endpoint {host}',
  'webhook_endpoint.disable': 'disabled the webhook endpoint {host}',
  'webhook_endpoint.delete': 'deleted the webhook endpoint {host}',
  'webhook_endpoint.test': 'sent a test event',
  'webhook_endpoint.recover': 'sent again what the webhook endpoint {host} had missed',
  'webhook_endpoint.rotate_secret': 'gave the webhook endpoint {host} a new secret',
};

/** The words for a posting of a single transaction, by what it was. */
function postingText({ transactions, transactionType, direction }: Readonly<Record<string, unknown>>): string | null {
  if (transactions === 0) return 'posted nothing to {account} that was not there before';
  if (direction === 'CREDIT') {
    return transactionType === 'REFUND'
      ? 'refunded {amount} {currency} of {referenceTransactionId} to {account}'
      : 'credited {amount} {currency} to {account}: {transactionType}';
  }
  return direction === 'DEBIT' ? 'debited {amount} {currency} from {account}: {transactionType}' : null;
}

/** Why a purchase by card was refused, by the code of the refusal. */
const REFUSALS: Readonly<Record<string, (data: Readonly<Record<string, unknown>>) => string>> = {
  card_state: ({ status }) => `the card is ${factText('status', status)}`,
  account_restricted: () => 'the account is restricted',
  account_closed: () => 'the account is closed',
  limit_exceeded: () => 'more than cards may hold of the account in a day',
  insufficient_funds: () => 'more than is available',
};

/** The words for fields whose names alone do not say what they are. */
const FIELDS: Readonly<Record<string, string>> = {
  perTransfer: 'limit of a single transfer',
  perDay: 'limit of transfers in a day',
  per30Days: 'limit of transfers in 30 days',
  transfersPerDay: 'number of transfers in a day',
  cardHoldsPerDay: 'limit of card holds in a day',
  errorResolution: 'contact for errors',
  givenBack: 'amount given back',
  accountCount: 'number of accounts',
  rerunOf: 'run that is repeated',
  'transfers.limits': 'limits of transfers',
  'approvals.agentProposals': 'proposals of agents',
  'approvals.closingAccounts': 'approval of closing accounts',
  'approvals.reversalsAbove': 'approval of reversals',
  'approvals.postingsAbove': 'approval of postings',
  'approvals.postingClients': 'clients that post without an approval',
  'approvals.transfersAbove': 'approval of transfers',
  'approvals.changingOwners': 'approval of changes of owners',
  'approvals.changingWebhookEndpoints': 'approval of changes of webhooks',
  'approvals.changingTransferLimits': 'approval of changes of limits',
  'approvals.erasingCustomers': 'approval of erasing customers',
  'approvals.documents': 'approval of issuing documents',
};

/** Facts that are codes. */
const WORDS: ReadonlySet<string> = new Set([
  'accountType',
  'documentType',
  'kind',
  'state',
  'status',
  'transactionType',
]);

/** Says in full what was done, or refused, to be read without opening anything. `whoIs` names people. */
export function sentenceOf(event: ToldEvent, whoIs: (actor: Actor) => string): string {
  const { accountId, object, audit } = event;
  if (!audit) return happened(event);
  const { action, outcome, data } = audit;
  const who = whoIs(audit);
  const of = accountId == null ? '' : ` of ${accountId}`;
  if (outcome === 'DENIED') {
    const code = typeof data['code'] === 'string' ? `: ${words(data['code']).toLowerCase()}` : '';
    return `${who} was denied to ${lowered(requestOf(action))}${of}${code}`;
  }
  const person = typeof data['person'] === 'string' ? personNamed(data['person'], whoIs) : undefined;
  if (action === 'console.sign_out' && data['person'] === audit.subject) return `${who} signed out`;
  const changed = changesOf(data, of);
  if (changed.length > 0) return `${who} changed ${changed.join(', ')}`;
  const template = (action === 'transaction.post' && postingText(data)) || DONE[action];
  if (template === undefined) return `${who}: ${lowered(happened(event))}${of}`;
  const facts: Readonly<Record<string, unknown>> = {
    ...data,
    person,
    account: accountId,
    id: object?.split('/')[1],
    why: REFUSALS[String(data['code'])]?.(data),
  };
  // A part that an event does not have is left out with the sign before it.
  const said = template.replaceAll(/(: | of | )?\{(\w+)\}/g, (_, sign: string = '', name: string) => {
    const fact = factText(name, facts[name]);
    return fact && `${sign}${fact}`;
  });
  return `${who} ${said.replace(/\b1 (transaction|line)s\b/, '1 $1')}`;
}

/** `the overdraft limit of demo-1001 from 0.00 to 500.00`, for each field whose value before is on record. */
function changesOf(data: Readonly<Record<string, unknown>>, of: string): string[] {
  const before = (data['before'] ?? {}) as Readonly<Record<string, unknown>>;
  return Object.entries(before)
    .filter(([name, value]) => data[name] !== value)
    .map(([name, value], index) => {
      const [from, to] = [value, data[name]].map(one => factText(name, one) || 'none');
      return `the ${fieldText(name)}${index === 0 ? of : ''} from ${from} to ${to}`;
    });
}

function factText(name: string, fact: unknown): string {
  if (fact === null || fact === undefined) return '';
  if (Array.isArray(fact)) return fact.map(one => fieldText(String(one))).join(', ');
  if (typeof fact === 'boolean') return fact ? 'yes' : 'no';
  const text = typeof fact === 'string' ? fact : JSON.stringify(fact);
  if (/^-?\d+\.\d+$/.test(text)) return grouped(text);
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return dayText(text);
  if (WORDS.has(name)) return lowered(words(text));
  return name === 'command' ? lowered(requestOf(text)) : text;
}

/**
 * A field as events and approvals name it: `payer.taxId` is `tax id of the payer`, and `accounts/demo-1001/owners` is
 * `owners of demo-1001`.
 */
export function fieldText(field: string): string {
  const known = FIELDS[field];
  if (known !== undefined) return known;
  const [group = '', name] = field.split('.');
  if (name !== undefined) return `${fieldText(name)} of the ${fieldText(group)}`;
  const [kind = '', id, ...rest] = field.split('/');
  if (id === undefined) return lowered(words(field));
  if (kind === 'balances') return `${id} balance`;
  if (kind === 'transferLimits') return fieldText(id);
  const whole = kind === 'accounts' ? id : `${kind.slice(0, -1)} ${id}`;
  return rest.length > 0 ? `${fieldText(rest.join('/'))} of ${whole}` : whole;
}

/** `Form 1099-INT` stays as it is: only what is a word begins with a small letter in a sentence. */
export function lowered(text: string): string {
  return /^[A-Z][a-z]/.test(text) && !text.includes('1099') ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
