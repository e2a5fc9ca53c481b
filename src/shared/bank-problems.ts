import { CUSTOMER_PROBLEMS } from './customer-problems.js';
import { TRANSFER_PROBLEMS } from './transfer-problems.js';

/** Codes about the things of the bank, which come over both APIs: what is not there, and what its state forbids. */
export const BANK_PROBLEMS = {
  account_not_found: [
    'not_found',
    'The account does not exist, or this caller may not see it.',
    'Check the account id, and the program and customer of the token.',
  ],
  owner_not_found: [
    'not_found',
    'The account has no such owner.',
    'List the owners of the account and use a customer id of that list.',
  ],
  beneficiary_not_found: [
    'not_found',
    'The account has no such beneficiary.',
    'List the beneficiaries of the account and use an id of that list.',
  ],
  transaction_not_found: [
    'not_found',
    'The account has no such transaction.',
    'List the transactions of the account and use an id of that list.',
  ],
  card_not_found: [
    'not_found',
    'The account has no such card.',
    'List the cards of the account and use an id of that list.',
  ],
  hold_not_found: [
    'not_found',
    'The account has no such hold.',
    'List the holds of the account and use an id of that list.',
  ],
  transfer_not_found: [
    'not_found',
    'The program has no such transfer, or this caller sees neither of its accounts.',
    'Check the transfer id, and the program and customer of the token.',
  ],
  statement_not_found: [
    'not_found',
    'The account has no such document of this type.',
    'List the statements of the account and use an id and the document type of that list.',
  ],
  program_not_found: [
    'not_found',
    'The program has no record.',
    'Let its operator make one with `tillgate programs set`.',
  ],
  operator_session_not_found: [
    'not_found',
    'Nobody of the program is signed in at the console with this session.',
    'List the sessions: it may have ended already.',
  ],
  account_exists: [
    'conflict',
    'The id of the new account is taken.',
    'Use another `accountId`. An id names one account in all programs.',
  ],
  account_ended: [
    'conflict',
    'An account with the id of the new account has ended: it was deleted when its retention was over. Its id is never given out again, in any program.',
    'Use another `accountId`.',
  ],
  account_restricted: [
    'conflict',
    'The bank restricts the account, so it gets no holds and no new cards, and no transfer takes money from it.',
    'Lift the restriction first, or use another account.',
  ],
  account_not_restricted: [
    'conflict',
    'The account is not restricted, so there is no restriction to lift.',
    'Read the `status` of the account.',
  ],
  account_closed: ['conflict', 'The account is closed: nothing new can be done in it.', 'Use an open account.'],
  account_not_empty: [
    'conflict',
    'The balance of the account is not zero, so the account cannot be closed.',
    'Pay the balance out or settle it, and then close the account.',
  ],
  account_has_holds: [
    'conflict',
    'Holds, or transfers that wait for an approval, keep back money of the account, so the account cannot be closed.',
    'Capture or release the holds, let the approvals be decided, and then close the account.',
  ],
  card_exists: [
    'conflict',
    'A card with this id or this number already exists.',
    'Use another `cardId`, or leave it out; a program can have a card number once.',
  ],
  hold_exists: [
    'conflict',
    'A hold or a transaction with this id exists and has different content.',
    'Use a new `holdId`.',
  ],
  hold_ended: [
    'conflict',
    'The hold has ended: it was captured, released, or its time is over.',
    'Read its `status`, and place a new hold.',
  ],
  hold_exceeded: [
    'conflict',
    'The amount is more than what remains of the hold.',
    'Capture at most its `heldAmount`, or leave the amount out.',
  ],
  insufficient_funds: [
    'conflict',
    'The amount is more than the available balance and the overdraft limit.',
    'Use a smaller amount, or wait until money has come in.',
  ],
  ...CUSTOMER_PROBLEMS,
  ...TRANSFER_PROBLEMS,
  card_state: [
    'conflict',
    'The status of the card does not allow this change. LOST, STOLEN and CLOSED are final.',
    'Read the `status` of the card. If it is final, create a new card.',
  ],
  transaction_mismatch: [
    'conflict',
    'A transaction with this id exists and has different content.',
    'Use a new `transactionId`; a posted transaction never changes.',
  ],
  transaction_not_posted: [
    'conflict',
    'The transaction moved no money, so there is nothing to reverse.',
    'Reverse a posted credit or debit; release a hold.',
  ],
  transaction_is_reversal: [
    'conflict',
    'The transaction is a reversal itself, and cannot be reversed.',
    'If it was wrong, post the original transaction again under a new `transactionId`.',
  ],
  already_reversed: [
    'conflict',
    'The transaction or transfer was reversed before.',
    'Nothing needs to be done: what reverses it is in the history of the account.',
  ],
  beyond_transaction: [
    'conflict',
    'A reversal or a refund by the gateway would give back more than is left of its transaction.',
    'Postings in the other direction that refer to the transaction count. Read the history, and post what is left.',
  ],
  too_many_beneficiaries: [
    'conflict',
    'The account already has the maximum number of beneficiaries.',
    'Delete a beneficiary before you add another.',
  ],
  too_many_cards: [
    'conflict',
    'The account already has the maximum number of cards.',
    'Use one of the existing cards. Cards cannot be deleted.',
  ],
  too_many_token_revocations: [
    'conflict',
    'The program has as many token revocations as it may have.',
    'Revoke the tokens of a client or of a subject in place of single ones.',
  ],
  idempotency_key_required: [
    'malformed',
    'The request must wait for an approval, and has no idempotency key under which its result could be kept. Nothing was done.',
    'Send the request again with an idempotency key.',
  ],
  agents_only_read: [
    'forbidden',
    'The request comes from an agent and would change something, and the record of the program lets agents read alone.',
    'Let a person make it, or set `approvals.agentProposals` in the record of the program.',
  ],
  agent_reason_required: [
    'malformed',
    'The request comes from an agent, and has no reason for the person who is to approve it. Nothing was done.',
    'State the reason in the header `Agent-Reason`.',
  ],
  approval_not_found: [
    'not_found',
    'The program has no such approval.',
    'List the approvals and use an id of that list.',
  ],
  statement_run_not_found: [
    'not_found',
    'The program has no such run.',
    'List the runs (`GET /statement-runs` or `statementRuns`) and use an id of that list.',
  ],
  statement_run_running: [
    'conflict',
    'A run of these documents is not finished, so neither is it run again nor another one started. Nothing was done.',
    'Read its `status` until it is no longer RUNNING, or stop it (`stopStatementRun`). Then send the request with a new key.',
  ],
  statement_run_over: [
    'conflict',
    'The run is finished, stopped or given up, so there is nothing to stop. Nothing was done.',
    'Read its `status`.',
  ],
  statement_run_shared: [
    'conflict',
    'The run issues documents of other programs as well, so one program cannot stop it. Nothing was done.',
    'Wait until it is finished.',
  ],
  program_incomplete: [
    'conflict',
    'The record of the program lacks what its documents must say. Nothing was done.',
    'Complete the record (`tillgate programs set`, or an import of programs); `detail` names what is missing.',
  ],
  own_approval: [
    'forbidden',
    'The caller asked for this approval, and must not give it.',
    'Let another person approve it. Whoever asked may reject it.',
  ],
  person_unknown: [
    'forbidden',
    'The gateway does not know the caller as a person.',
    'Approve with a token, or a sign-in, that has the claim in `AUTH_PERSON_CLAIM`.',
  ],
  approval_decided: [
    'conflict',
    'The approval was approved or rejected already, or it has expired. Nothing was done.',
    'Read the `status` of the approval.',
  ],
  approval_expired: [
    'conflict',
    'The approval has expired, and the request that waited for it is not carried out.',
    'Send the request again with a new idempotency key.',
  ],
  approval_rejected: [
    'conflict',
    'The approval was rejected, and the request that waited for it is not carried out.',
    'Read the `reason` of the approval.',
  ],
  too_many_approvals: [
    'conflict',
    'The program, or the client or customer of the request, already has the maximum number of requests that wait for an approval.',
    'Let some of them be approved or rejected first.',
  ],
} as const;
