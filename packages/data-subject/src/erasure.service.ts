import {
  UUID_TEXT,
  mustBeExpected,
  mustBeOf,
  mustNotBeErased,
  apart,
  type Caller,
  type CardService,
  type CustomerRead,
  type CustomerService,
  type CustomerView,
  type HeldCard,
  type NoteService,
  type PersonName,
  type ProgramCommands,
  type SqlQuery,
  type StatementSender,
  type VersionCondition,
} from 'tillgate/noun';
import { CustomerInUse, type CustomerUse } from './erasure.errors.js';
import { ERASE_CUSTOMER } from './erasure.operations.js';
import { IS_OVER, KEPT_UNTIL } from './retention-time.js';

/** The customer whose personal data is erased, and the reason. */
export interface Erasure extends VersionCondition {
  readonly customerId: string;
  readonly reason: string;
  /** The retention of the program asks for it, to which another person has agreed: it does not wait for one again. */
  readonly byRetention?: true;
}

/** The facts that decide whether a customer may be erased. */
interface ErasureFacts {
  /** Null where there is none with the id. */
  readonly customer: CustomerRead | null;
  /** Accounts of the customer that are not closed, the first few. */
  readonly accountIds: readonly string[];
  readonly cards: readonly HeldCard[];
  readonly keptAccounts: CustomerUse['keptAccounts'];
}

const MAX_NAMED = 5;
const OPEN_ACCOUNTS = apart(
  `SELECT o.account_id FROM account_owner o JOIN account a ON a.account_id = o.account_id
    WHERE o.customer_id = $1 AND a.status <> 'CLOSED' ORDER BY o.account_id LIMIT ${MAX_NAMED}`,
  { inTurn: true },
);
const KEPT_ACCOUNTS = apart(
  `SELECT a.account_id, ${KEPT_UNTIL}
    FROM account_owner o JOIN account a ON a.account_id = o.account_id JOIN program p ON p.program_id = a.program
    WHERE o.customer_id = $1 AND NOT (${IS_OVER})
    ORDER BY o.account_id LIMIT ${MAX_NAMED}`,
  { inTurn: true },
);
const NOBODY: ErasureFacts = { customer: null, accountIds: [], cards: [], keptAccounts: [] };

/**
 * Ends what is on record about people who have nothing at the bank any more. What belongs to their accounts stays: the
 * history, its events and its documents, which name customers by their ids.
 */
export class ErasureService {
  constructor(
    private readonly customers: CustomerService,
    private readonly cards: CardService,
    private readonly notes: NoteService,
    private readonly commands: ProgramCommands,
  ) {}

  private readonly erasing = this.commands.command<Erasure, ErasureFacts, CustomerView, readonly SqlQuery[]>(
    ERASE_CUSTOMER,
    {
      recorded: ({ input: { customerId, reason } }) => ({ customerId, reason }),
      readFacts: (transaction, requests) =>
        Promise.all(requests.map(({ input }) => this.facts(transaction, input.customerId))),
      permit: (program, { customer: onFile, accountIds, cards: held, keptAccounts }, { caller, input }) => {
        const customer = mustBeOf(caller, onFile);
        mustBeExpected(customer, input);
        mustNotBeErased(customer);
        const cardIds = held.filter(({ isUsable }) => isUsable).map(({ cardId }) => cardId);
        const use: CustomerUse = { accountIds, cardIds, keptAccounts };
        if (Object.values(use).some(({ length }) => length > 0)) throw new CustomerInUse(use);
        const { result, write } = this.customers.erased(customer, new Date().toISOString());
        return {
          result,
          draft: [write, this.notes.erasing(program, customer.customerId), ...this.cards.ofPeople.erasing(held)],
        };
      },
      write: accepted => accepted.flatMap(({ draft }) => draft),
      event: ({ result, input: { reason } }) => ({ object: `customer/${result.customerId}`, data: { reason } }),
      approval: {
        needs: ({ erasingCustomers }, { input }) => erasingCustomers && input.byRetention !== true,
        changes: ({ fact: { customer }, result }) => [
          { field: 'name', before: customer && wholeName(customer.name), after: wholeName(result.name) },
        ],
      },
    },
  );

  /** Throws `CustomerNotFound`, `CustomerErased`, `CustomerInUse`, `PreconditionFailed`. */
  async erase(caller: Caller, erasure: Erasure, dryRun?: boolean): Promise<CustomerView> {
    return await this.erasing(caller, erasure, dryRun);
  }

  private async facts(transaction: StatementSender, customerId: string): Promise<ErasureFacts> {
    if (!UUID_TEXT.test(customerId)) return NOBODY;
    // Read behind the lock, so that an owner who was made meanwhile is seen.
    const [customer, accounts, cards, keptAccounts] = await Promise.all([
      this.customers.lockToErase(transaction, customerId),
      transaction.query<[accountId: string]>(OPEN_ACCOUNTS, [customerId]),
      this.cards.ofPeople.heldBy(transaction, customerId),
      transaction.query<[accountId: string, until: string]>(KEPT_ACCOUNTS, [customerId]),
    ]);
    return {
      customer,
      accountIds: accounts.map(([accountId]) => accountId),
      cards,
      keptAccounts: keptAccounts.map(([accountId, until]) => ({ accountId, until })),
    };
  }
}

function wholeName({ first, middle, last }: PersonName): string {
  return [first, middle, last].filter(Boolean).join(' ');
}
