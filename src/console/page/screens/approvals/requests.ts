import { words } from '../../ui/words.js';

/** What a request asks for, by the name of its command. */
const REQUESTS: Readonly<Record<string, string>> = {
  'account.close': 'Close the account',
  'owner.add': 'Add owners to the account',
  'owner.remove': 'Remove owners from the account',
  'transaction.reverse': 'Reverse a transaction',
  'webhook_endpoint.create': 'Create a webhook endpoint',
  'webhook_endpoint.update': 'Change a webhook endpoint',
  'webhook_endpoint.enable': 'Enable a webhook endpoint',
  'webhook_endpoint.disable': 'Disable a webhook endpoint',
  'webhook_endpoint.delete': 'Delete a webhook endpoint',
  'webhook_endpoint.rotate_secret': 'Give a webhook endpoint a new secret',
};

export function requestOf(command: string): string {
  return REQUESTS[command] ?? words(command);
}
