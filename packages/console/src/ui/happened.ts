import { words } from './words.js';

/** The client of the people at the console. */
export const CONSOLE = 'console';
/** The client of what the gateway does by itself, and of the command line. */
const GATEWAY = 'tillgate';

/** Commands whose names do not make a sentence. */
const REQUESTS: Readonly<Record<string, string>> = {
  'approval.approve': 'Approve a request',
  'account.end': 'Delete an account whose retention is over',
  'approval.reject': 'Reject a request',
  'approval.expire': 'Let a request expire',
  'operator_session.end': 'End a session of the console',
  'card.refuse_purchase': 'Refuse a purchase by card',
  'console.sign_in': 'Sign in',
  'console.sign_out': 'Sign out',
  'customer.erase': 'Erase the personal data of a customer',
  'customer.export': 'Write down all that is on record about a customer',
  'customer.note': 'Add a note about a customer',
  'hold.expire': 'Let a hold expire',
  'owner.add': 'Add owners to the account',
  'owner.remove': 'Remove owners from the account',
  'personal_data.reveal': 'Reveal personal data',
  'sandbox.close_month': 'Close the month',
  'sandbox.move_clock': 'Move the clock',
  'sandbox.simulate': 'Simulate something',
  'tax_filing.acknowledge': 'Hand over an answer of the IRS',
  'tax_filing.download': 'Fetch a file of returns',
  'tax_filing.start': 'File returns with the IRS',
  'token.revoke': 'Revoke access tokens',
  'transaction.import': 'Import transactions',
  'webhook_delivery.resend': 'Send a webhook again',
  'webhook_endpoint.rotate_secret': 'Give a webhook endpoint a new secret',
};

/** Types of events, and commands whose events have none, that do not say in words of their own what has happened. */
const EVENTS: Readonly<Record<string, string>> = {
  'account.owner_added': 'Owner added',
  'account.owner_removed': 'Owner removed',
  'console.signed_in': 'Signed in to the console',
  'console.signed_out': 'Signed out of the console',
  'sandbox.close_month': 'Month closed',
  'sandbox.move_clock': 'Clock moved',
  'webhook_delivery.resend': 'Webhook sent again',
  'webhook_endpoint.test': 'Test event sent',
};

/** Says what a command asks for: `account.close` is `Close an account`. */
export function requestOf(command: string): string {
  const [object = '', verb = ''] = command.split('.');
  return REQUESTS[command] ?? `${words(verb)} ${/^[aeiou]/.test(object) ? 'an' : 'a'} ${words(object).toLowerCase()}`;
}

interface Event {
  readonly type?: string | null;
  readonly audit?: { readonly action: string; readonly outcome: string } | null;
}

/** Says what has happened, or what was denied. */
export function happened({ type, audit }: Event): string {
  const { action = '', outcome = '' } = audit ?? {};
  const name = type ?? action;
  return outcome === 'DENIED' ? requestOf(action) : (EVENTS[name] ?? words(name));
}

/** The person or the system that did something, and its client. */
export interface Actor {
  readonly clientId: string;
  readonly subject: string;
}

/** Names a person of whom the subject alone is on record. */
export function personNamed(subject: string, whoIs: (actor: Actor) => string): string {
  return whoIs({ clientId: CONSOLE, subject });
}

/** Says who did something, and with what: `Ana Ruiz, with the console`. Of the gateway it names the part. */
export function actorText(actor: Actor, whoIs: (actor: Actor) => string): string {
  const { clientId, subject } = actor;
  if (clientId === GATEWAY) return `${whoIs(actor)} (${subject})`;
  if (clientId === subject) return subject;
  return `${whoIs(actor)}, with ${clientId === CONSOLE ? 'the console' : clientId}`;
}

/** Names who did something, as far as that is known without the names of people. */
export function byWhom({ clientId, subject }: Actor): string {
  return clientId === GATEWAY ? 'Tillgate' : subject;
}
