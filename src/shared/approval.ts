import type { Json } from './json.js';
import type { CurrencyAmount } from './money.js';

/** The rules by which requests of a program wait until a second person approves them. */
export interface ApprovalRules {
  /** True if agents may propose changes, of which each waits whatever the other rules say; else they only read. */
  readonly agentProposals: boolean;
  readonly closingAccounts: boolean;
  /** Reversals of more than these amounts, decimal texts by currency; those of other currencies never wait. */
  readonly reversalsAbove: readonly CurrencyAmount[];
  /**
   * Postings of more than these amounts, decimal texts by currency, each and those of a request together; those of
   * other currencies never wait.
   */
  readonly postingsAbove: readonly CurrencyAmount[];
  /**
   * The clients that are systems of the bank, such as its core or a card network: what they post needs no approval.
   */
  readonly postingClients: readonly string[];
  /** Transfers of more than these amounts, decimal texts by currency; those of other currencies never wait. */
  readonly transfersAbove: readonly CurrencyAmount[];
  readonly changingOwners: boolean;
  readonly changingWebhookEndpoints: boolean;
  readonly changingTransferLimits: boolean;
  readonly erasingCustomers: boolean;
  /** Runs that issue statements or tax forms. */
  readonly documents: boolean;
}

/** The change of one field that a command that waits would make. */
export interface ApprovalChange {
  /** Such as `status`, `url`, `owners`. */
  readonly field: string;
  /** Null where there is nothing yet. */
  readonly before: string | null;
  /** Null where nothing is left. */
  readonly after: string | null;
}

/** An approval as it is shown while nobody has decided it. It holds no personal data. */
export interface WaitingApproval {
  /** Null in the answer to a dry run: nothing waits, and this is what would. */
  readonly approvalId: string | null;
  readonly status: 'WAITING';
  /** The name of the command, such as `owner.add`. */
  readonly command: string;
  readonly accountId: string | null;
  /** The object that the command changes, such as `account/demo-1001`; null where it is not there yet. */
  readonly object: string | null;
  readonly facts: Json;
  readonly clientId: string;
  readonly subject: string;
  /** The actor for the subject; null where nobody acted. */
  readonly actor: string | null;
  /** The reason that the agent states; null where no agent asks. */
  readonly statedReason: string | null;
  readonly requestId: string;
  readonly requestedAt: string;
  readonly expiresAt: string;
  readonly decidedBy: null;
  readonly decidedAt: null;
  readonly reason: null;
  readonly code: null;
}
