/** Codes about transfers, which come over both APIs. */
export const TRANSFER_PROBLEMS = {
  limit_exceeded: [
    'conflict',
    'The amount is beyond a limit of the account for transfers or for holds of cards.',
    'Use an amount within what remains, as `errors` names it, wait for the next day, or have an operator change the limit.',
  ],
  same_account: ['rule_broken', 'The two accounts of a transfer are one account.', 'Name two different accounts.'],
  currency_mismatch: [
    'conflict',
    'The two accounts of a transfer have different currencies.',
    'Choose two accounts of one currency: money is not exchanged.',
  ],
  payee_mismatch: [
    'rule_broken',
    'The name does not match that of an owner of the account that the money would go to.',
    'Check the account and the last name of its owner, and send the name in `payeeLastName`.',
  ],
  transfer_waits: [
    'conflict',
    'The transfer is one of several in a request, and one of its amount waits for an approval.',
    'Send it by itself, with an idempotency key.',
  ],
  transfer_mismatch: [
    'conflict',
    'A transfer with this id exists and has different content.',
    'Use a new `transferId`; a transfer never changes.',
  ],
  transaction_of_transfer: [
    'conflict',
    'The transaction is one of the two of a transfer, which are only taken back together.',
    'Reverse the transfer: its id is the `reference` of the transaction.',
  ],
} as const;
