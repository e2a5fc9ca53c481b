import type { AccountView } from '../account/account.entity.js';
import type { AccountService } from '../account/account.service.js';
import type { Database } from '../../platform/database/orm.js';
import { contactWords } from '../owner/owner.service.js';
import type { KeyRing } from '../../platform/crypto/key-ring.js';
import { readInput } from '../../platform/input/read-input.js';
import type { Caller } from '../../shared/caller.js';
import { BANK_ID, UUID_TEXT } from '../../shared/ids.js';
import { MAX_HITS, type SearchHit } from './search.entity.js';
import { SearchQuery } from './search.inputs.js';
import type { PersonalKey, SearchRecords } from './search.records.js';
import {
  accountById,
  cardsByLastFour,
  customerById,
  customersByBeginning,
  customersByContact,
  customersByName,
  customersByTaxId,
  type LookUp,
} from './search.lookups.js';
import { SEARCH } from './search.operations.js';
import { READ_ACCOUNTS } from '../account/account.operations.js';
import { READ_CARDS } from '../card/card.operations.js';

/** Digits alone, or as a hit shows them: `VIRTUAL card •••• 4242`, `*****1002`. */
const LAST_FOUR = /^(?:(?:[A-Za-z]+ card )?[*•]+ ?)?(\d{4})$/;
/** A tax id as a hit shows it, of a country whose tax ids have letters. */
const MASKED_TAX_ID = /^\*+([^*]{4})$/;

/** Finds what operators look for all day: what a text names, and last names that begin with it. */
export class SearchService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountService,
    private readonly records: SearchRecords,
    private readonly keys: KeyRing,
  ) {}

  /**
   * Finds what the text names in the caller's program: accounts first, then cards, then customers, each by their ids,
   * and then customers whose last names begin with it. Cards are for callers who may read cards, and accounts for those
   * who may read accounts. A search for people is on record, and limited. Throws `InvalidInput`, `TooManySearches`.
   */
  async find(caller: Caller, query: unknown): Promise<SearchHit[]> {
    caller.require(SEARCH);
    const text = readInput(SearchQuery, query).text.trim();
    const words = UUID_TEXT.test(text.toLowerCase()) ? null : contactWords(this.keys, text);
    const key = words ? 'CONTACT' : personalKeyOf(text);
    if (key !== null) await this.records.take(caller);
    const found = await Promise.all(
      lookUpsOf(caller, text, key, words ?? []).map(([lookUp, value]) => lookUp(this.database, caller.program, value)),
    );
    const hits = distinct(found.flat()).slice(0, MAX_HITS);
    if (key !== null) await this.count(caller, key, hits);
    return hits;
  }

  /**
   * The id of an account has the form of a name as well: if it names an account and nobody, it was no search for
   * people.
   */
  private async count(caller: Caller, key: PersonalKey, hits: readonly SearchHit[]): Promise<void> {
    const isForAccount = hits.length > 0 && hits.every(({ kind }) => kind === 'ACCOUNT');
    if (isForAccount) await this.records.giveBack(caller);
    else this.records.add(caller, key, hits.length);
  }

  /** The account of a hit. Throws `InsufficientScope`. */
  async accountOf(caller: Caller, { accountId }: SearchHit): Promise<AccountView | null> {
    return accountId === null ? null : this.accounts.find(caller, accountId);
  }
}

/** The personal data that a search goes by; null for a customer's id, which cannot be guessed. */
function personalKeyOf(text: string): PersonalKey | null {
  if (UUID_TEXT.test(text.toLowerCase())) return null;
  return lastFourIn(text) === null ? 'NAME' : 'LAST_FOUR';
}

function lastFourIn(text: string): string | null {
  return LAST_FOUR.exec(text)?.[1] ?? MASKED_TAX_ID.exec(text)?.[1] ?? null;
}

/** Lists what a text can name, by its form, and as far as the caller may read it; each with what is compared. */
function lookUpsOf(
  caller: Caller,
  text: string,
  key: PersonalKey | null,
  words: readonly string[],
): [LookUp, string][] {
  const accounts: [LookUp, string][] = BANK_ID.test(text) && caller.may(READ_ACCOUNTS) ? [[accountById, text]] : [];
  if (key === null) return [...accounts, [customerById, text.toLowerCase()]];
  // Numbers of the bank may have the form of a telephone number, or of four last digits.
  const names: [LookUp, string][] = [[customersByName, text]];
  if (key === 'CONTACT') return [...accounts, ...names, [customersByContact, words.join(' ')]];
  if (key === 'NAME') return [...accounts, ...names, [customersByBeginning, text]];
  const lastFour = lastFourIn(text) as string;
  const cards: [LookUp, string][] = caller.may(READ_CARDS) ? [[cardsByLastFour, lastFour]] : [];
  return [...accounts, ...cards, ...names, [customersByTaxId, lastFour]];
}

/** Each hit once: a customer may be found by several things, such as a name and its beginning. */
function distinct(hits: readonly SearchHit[]): SearchHit[] {
  const keyOf = ({ kind, accountId, cardId, customerId }: SearchHit): string =>
    JSON.stringify([kind, accountId, cardId, customerId]);
  return [...new Map(hits.map(hit => [keyOf(hit), hit])).values()];
}
