import type { Json } from './json.js';

/** What of a program waits until a second person approves it. */
export interface ApprovalRules {
  readonly closingAccounts: boolean;
  /** Reversals of more than this many units of the account's currency, as a decimal text; null for none. */
  readonly reversalsAbove: string | null;
  readonly changingOwners: boolean;
  readonly changingWebhookEndpoints: boolean;
}

/** An approval as it is shown while nobody has decided it. It holds no personal data. */
export interface WaitingApproval {
  /** Null in the answer to a dry run: nothing waits, and this is what would. */
  readonly approvalId: string | null;
  readonly status: 'WAITING';
  /** The name of the command, such as `owner.add`. */
  readonly command: string;
  readonly accountId: string | null;
  /** What the command changes, such as `account/demo-1001`; null where it is not there yet. */
  readonly object: string | null;
  readonly facts: Json;
  readonly clientId: string;
  readonly subject: string;
  readonly requestId: string;
  readonly requestedAt: string;
  readonly expiresAt: string;
  readonly decidedBy: null;
  readonly decidedAt: null;
  readonly reason: null;
  readonly code: null;
}
