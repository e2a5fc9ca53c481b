import { useEffect, useId, useState } from 'preact/hooks';
import { useQuery } from '../client/query.js';
import { ConsoleSearchDocument, type ConsoleSearchQuery } from '../generated/graphql.js';
import { hrefOf, navigate, useAddress } from '../router.js';
import { Icon, type IconName } from '../ui/icon.js';
import { counted, words } from '../ui/words.js';

export type SearchHit = NonNullable<ConsoleSearchQuery['search']>[number];

/** A shorter text is not looked for. */
export const MIN_SEARCH_CHARACTERS = 2;
const MAX_SEARCH_CHARACTERS = 100;
/** A search is sent after this pause in typing, so that not every letter sends one. */
const PAUSE_MS = 180;

const ICONS: Readonly<Record<SearchHit['kind'], IconName>> = { ACCOUNT: 'account', CARD: 'card', CUSTOMER: 'person' };

export function hrefOfHit({ kind, accountId, cardId, customerId }: SearchHit): string {
  if (accountId == null) return hrefOf(`/customers/${customerId ?? ''}`);
  const account = `/accounts/${encodeURIComponent(accountId)}`;
  if (kind === 'CARD' && cardId != null) return hrefOf(`${account}/cards/${encodeURIComponent(cardId)}`);
  return hrefOf(kind === 'CUSTOMER' ? `${account}/owners` : account);
}

/**
 * Finds accounts, cards and customers as somebody types; a combobox with a list (ARIA APG). Enter without a choice
 * shows all.
 */
export function Search() {
  const { path, query } = useAddress();
  const shown = path === '/' ? (query.get('text') ?? '') : '';
  const [text, setText] = useState(shown);
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  useEffect(() => {
    setText(shown);
    setOpen(false);
  }, [path, shown]);
  const asked = useSettled(text.trim());
  const { data, isLoading, problem } = useQuery(
    ConsoleSearchDocument,
    isOpen && asked.length >= MIN_SEARCH_CHARACTERS ? { text: asked } : null,
  );
  const hits = data?.search ?? [];
  const isListed = isOpen && text.trim().length >= MIN_SEARCH_CHARACTERS;
  const id = useId();
  const chosen = hits[active];

  const go = (href: string): void => {
    setOpen(false);
    navigate(href);
    document.querySelector('main')?.focus();
  };
  const open = (hit: SearchHit): void => {
    setText('');
    go(hrefOfHit(hit));
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') {
      if (!isListed) setText('');
      setOpen(false);
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      setOpen(true);
      const places = hits.length + 1;
      setActive(((active + 1 + (event.key === 'ArrowDown' ? 1 : -1) + places) % places) - 1);
    } else return;
    event.preventDefault();
  };

  return (
    <form
      class="search"
      role="search"
      onSubmit={event => {
        event.preventDefault();
        if (chosen) open(chosen);
        else if (text.trim()) go(hrefOf('/', { text: text.trim() }));
      }}
    >
      <Icon name="search" />
      <input
        type="text"
        role="combobox"
        aria-label="Search"
        aria-expanded={isListed}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={isListed && chosen ? `${id}-${active}` : undefined}
        data-search
        placeholder="Account, card, name or tax id"
        autocomplete="off"
        spellcheck={false}
        maxLength={MAX_SEARCH_CHARACTERS}
        value={text}
        onInput={event => {
          setText(event.currentTarget.value);
          setActive(-1);
          setOpen(true);
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKey}
      />
      <kbd class="kbd" aria-hidden="true">
        /
      </kbd>
      <span class="hidden-text" role="status">
        {isListed && !isLoading && asked && data ? counted(hits.length, 'result') : ''}
      </span>
      <div class="hits" hidden={!isListed}>
        <ul role="listbox" id={`${id}-list`} aria-label="Results">
          {hits.map((hit, index) => (
            <li
              key={`${hit.kind} ${hit.accountId} ${hit.cardId} ${hit.customerId}`}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === active}
              onMouseDown={event => event.preventDefault()}
              onClick={() => open(hit)}
            >
              <Icon name={ICONS[hit.kind]} />
              <span>
                {labelOf(hit)}
                <span class="soft small">
                  {[hit.kind === 'ACCOUNT' ? null : hit.accountId, hit.detail && wordsOf(hit.detail)]
                    .filter(Boolean)
                    .join(' · ') || 'No account'}
                </span>
              </span>
            </li>
          ))}
        </ul>
        {hits.length === 0 && (
          <p class="soft">
            {problem?.message ??
              (isLoading || asked !== text.trim()
                ? 'Searching…'
                : 'Nothing has exactly this name, id or last four digits.')}
          </p>
        )}
      </div>
    </form>
  );
}

/** `PHYSICAL card •••• 4242` as people write it; ids and names stay as they are. */
export function labelOf({ kind, label }: SearchHit): string {
  return kind === 'CARD' ? label.replace(/^[A-Z]+/, words) : label;
}

/** `CHECKING, OPEN` as people write it; a masked number stays as it is. */
export function wordsOf(detail: string): string {
  return detail
    .split(', ')
    .map(part => (/^[A-Z_]+$/.test(part) ? words(part) : part))
    .join(', ');
}

/** The value once it has stayed the same for a moment. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
