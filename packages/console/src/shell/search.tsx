import { useEffect, useId, useState } from 'preact/hooks';
import { useQuery } from '../client/query.js';
import { useSettled } from '../client/settled.js';
import { ConsoleSearchDocument } from '../generated/graphql.js';
import { hrefOf, navigate, useAddress } from '../router.js';
import {
  hrefOfHit,
  keyOfHit,
  labelOf,
  MAX_SEARCH_CHARACTERS,
  MIN_SEARCH_CHARACTERS,
  wordsOf,
  type SearchHit,
} from '../ui/hits.js';
import { Icon, type IconName } from '../ui/icon.js';
import { counted } from '../ui/words.js';
import { usePalette } from './palette.js';

const ICONS: Readonly<Record<SearchHit['kind'], IconName>> = { ACCOUNT: 'account', CARD: 'card', CUSTOMER: 'person' };

/** Something that can be chosen below the search. */
interface Choice {
  readonly key: string;
  readonly group: string;
  readonly icon: IconName;
  readonly label: string;
  readonly detail?: string;
  readonly run: () => void;
}

/**
 * Finds accounts, cards and customers as somebody types, and what can be gone to and done; a combobox with a list (ARIA
 * APG). Enter without a choice shows all that is found.
 */
export function Search() {
  const { path, query } = useAddress();
  const shown = path === '/' ? (query.get('text') ?? '') : '';
  const [text, setText] = useState(shown);
  const [isOpen, setOpen] = useState(false);
  const [moved, setMoved] = useState<number>();
  useEffect(() => {
    setText(shown);
    setOpen(false);
  }, [path, shown]);
  const wanted = text.trim();
  const { choices, hasCommands, found, note } = useChoices(wanted, isOpen);
  const id = useId();
  // A text that is the name of a place goes there by Enter.
  const active = moved ?? (wanted && hasCommands ? 0 : -1);
  const chosen = choices[active];

  const close = (): void => {
    setOpen(false);
    document.querySelector('main')?.focus();
  };
  const choose = ({ run }: Choice): void => {
    setText('');
    setMoved(undefined);
    close();
    run();
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') {
      if (!isOpen) setText('');
      setOpen(false);
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      setOpen(true);
      const places = choices.length + 1;
      setMoved(((active + 1 + (event.key === 'ArrowDown' ? 1 : -1) + places) % places) - 1);
    } else return;
    event.preventDefault();
  };

  return (
    <form
      class="search"
      role="search"
      onSubmit={event => {
        event.preventDefault();
        if (chosen) choose(chosen);
        else if (wanted) {
          close();
          navigate(hrefOf('/', { text: wanted }));
        }
      }}
    >
      <Icon name="search" />
      <input
        type="text"
        role="combobox"
        aria-label="Search"
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && chosen ? `${id}-${active}` : undefined}
        data-search
        placeholder="Account, card, name, e-mail or telephone"
        autocomplete="off"
        spellcheck={false}
        maxLength={MAX_SEARCH_CHARACTERS}
        value={text}
        onInput={event => {
          setText(event.currentTarget.value);
          setMoved(undefined);
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
        {found}
      </span>
      <div class="hits" hidden={!isOpen || (choices.length === 0 && !note)}>
        <Choices {...{ id, choices, active }} onChoose={choose} />
        {note && <p class="soft">{note}</p>}
      </div>
    </form>
  );
}

/**
 * Returns the choices for a text: places, actions, and what the gateway finds, which is told for screen readers and in
 * a note.
 */
function useChoices(wanted: string, isOpen: boolean) {
  const asked = useSettled(wanted);
  const isSearched = wanted.length >= MIN_SEARCH_CHARACTERS;
  const { data, isLoading, problem } = useQuery(
    ConsoleSearchDocument,
    isOpen && asked.length >= MIN_SEARCH_CHARACTERS ? { text: asked } : null,
  );
  const hits = (isSearched && data?.search) || [];
  const commands = usePalette(wanted, isOpen);
  const choices: readonly Choice[] = [
    ...commands.map(command => ({ key: `${command.group} ${command.label}`, ...command })),
    ...hits.map(choiceOf),
  ];
  const isWaiting = isLoading || asked !== wanted;
  const nothing = isWaiting ? 'Searching…' : 'Nothing has this id, name, e-mail, telephone or last four digits.';
  return {
    choices,
    hasCommands: commands.length > 0,
    found: isOpen && isSearched && !isWaiting && data ? counted(hits.length, 'result') : '',
    note: isSearched && hits.length === 0 && (problem?.message ?? nothing),
  };
}

interface ChoicesProps {
  readonly id: string;
  readonly choices: readonly Choice[];
  readonly active: number;
  readonly onChoose: (choice: Choice) => void;
}

function Choices({ id, choices, active, onChoose }: ChoicesProps) {
  useEffect(() => document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' }), [active]);
  return (
    <div role="listbox" id={`${id}-list`} aria-label="Results">
      {[...new Set(choices.map(({ group }) => group))].map(group => (
        <div key={group} role="group" aria-label={group}>
          <p class="hits-group" aria-hidden="true">
            {group}
          </p>
          {choices.map((choice, index) =>
            choice.group === group ? (
              <div
                key={choice.key}
                id={`${id}-${index}`}
                class="hit"
                role="option"
                aria-selected={index === active}
                onMouseDown={event => event.preventDefault()}
                onClick={() => onChoose(choice)}
              >
                <Icon name={choice.icon} />
                <span>
                  {choice.label}
                  {choice.detail && <span class="soft small">{choice.detail}</span>}
                </span>
              </div>
            ) : null,
          )}
        </div>
      ))}
    </div>
  );
}

function choiceOf(hit: SearchHit): Choice {
  const { kind, accountId, detail } = hit;
  const details = [kind === 'ACCOUNT' ? null : accountId, detail && wordsOf(detail)].filter(Boolean);
  return {
    key: keyOfHit(hit),
    group: 'Found',
    icon: ICONS[kind],
    label: labelOf(hit),
    detail: details.join(' · ') || 'No account',
    run: () => navigate(hrefOfHit(hit)),
  };
}
