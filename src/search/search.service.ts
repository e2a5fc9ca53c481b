import type { AccountView } from '../account/account.entity.js';
import type { AccountService } from '../account/account.service.js';
import type { Database } from '../platform/database/orm.js';
import { readInput } from '../platform/input/read-input.js';
import type { Caller } from '../shared/caller.js';
import { BANK_ID, UUID_TEXT } from '../shared/ids.js';
import { MAX_HITS, type SearchHit } from './search.entity.js';
import { SearchQuery } from './search.inputs.js';
import {
  ACCOUNT_BY_ID,
  CARDS_BY_LAST_FOUR,
  CUSTOMERS_BY_NAME,
  CUSTOMERS_BY_TAX_ID,
  CUSTOMER_BY_ID,
  accountHit,
  cardHit,
  customerHit,
  type LookUp,
} from './search.lookups.js';

const LAST_FOUR = /^\d{4}$/;

/** Finds what operators look for all day, by exact matches alone. */
export class SearchService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountService,
  ) {}

  /**
   * What the text names in the caller's program: accounts first, then cards, then customers, each by their ids. Cards
   * are for callers who may read cards, and accounts for those who may read accounts. Throws `InvalidInput`.
   */
  async find(caller: Caller, query: unknown): Promise<SearchHit[]> {
    caller.require('operations.read');
    const text = readInput(SearchQuery, query).text.trim();
    // They share a connection, and so a round trip.
    const found = await Promise.all(
      lookUpsOf(caller, text).map(async ({ statement, hitOf, value = text }) => {
        const rows = await this.database.queryTogether<never>(statement, [caller.program, value]);
        return rows.map(hitOf);
      }),
    );
    return found.flat().slice(0, MAX_HITS);
  }

  /** The account of a hit. Throws `InsufficientScope`. */
  async accountOf(caller: Caller, { accountId }: SearchHit): Promise<AccountView | null> {
    return accountId === null ? null : this.accounts.find(caller, accountId);
  }
}

/** What a text can name, by its form, and as far as the caller may read it. */
function lookUpsOf(caller: Caller, text: string): LookUp[] {
  const accounts =
    BANK_ID.test(text) && caller.may('accounts.read') ? [{ statement: ACCOUNT_BY_ID, hitOf: accountHit }] : [];
  if (LAST_FOUR.test(text)) {
    const cards = caller.may('cards.read') ? [{ statement: CARDS_BY_LAST_FOUR, hitOf: cardHit }] : [];
    return [...accounts, ...cards, { statement: CUSTOMERS_BY_TAX_ID, hitOf: customerHit }];
  }
  const value = text.toLowerCase();
  const isId = UUID_TEXT.test(value);
  return [
    ...accounts,
    isId
      ? { statement: CUSTOMER_BY_ID, hitOf: customerHit, value }
      : { statement: CUSTOMERS_BY_NAME, hitOf: customerHit },
  ];
}
