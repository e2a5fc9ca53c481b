import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { hrefOf, navigate, useAddress } from '../router.js';
import { Button, ButtonLink } from './button.js';
import { FilterEditor, useFocus } from './filter-editor.js';
import { namesOf, textOf, type FilterOf, type Values } from './filter-words.js';
import { Icon } from './icon.js';
import { Popover } from './popover.js';

interface FiltersProps<Name extends string> {
  /** The name of the list that is filtered, for screen readers, such as `events`. */
  readonly noun: string;
  readonly path: string;
  readonly filters: Readonly<Record<Name, FilterOf>>;
}

/**
 * Filters of a list as chips. Their values are in the address, so that a filtered list can be shared and kept as a
 * bookmark. They are closed until somebody asks for one.
 */
export function Filters<Name extends string>({ noun, path, filters }: FiltersProps<Name>) {
  const { query } = useAddress();
  const values = Object.fromEntries(query);
  const apply = (changed: Values): void => {
    const trimmed = Object.entries(changed).map(([name, value]) => [name, value.trim()] as const);
    navigate(hrefOf(path, { ...values, ...Object.fromEntries<string>(trimmed) }));
  };
  const entries = Object.entries<FilterOf>(filters);
  const given = entries.filter(([name, filter]) => textOf(name, filter, values) !== '');
  const without = (some: typeof entries): Values =>
    Object.fromEntries(some.flatMap(([name, filter]) => namesOf(name, filter).map(one => [one, ''])));
  const box = useRef<HTMLDivElement>(null);
  const had = useRef(given.length);
  // The chip that had the focus goes with its filter.
  useEffect(() => {
    const isLost = given.length < had.current && document.activeElement === document.body;
    if (isLost) box.current?.querySelector<HTMLElement>('.add-filter button')?.focus();
    had.current = given.length;
  }, [given.length]);
  return (
    <div class="list-tools" role="search" aria-label={`Filter ${noun}`} ref={box}>
      {given.map(([name, filter]) => (
        <Chip key={name} {...{ name, filter, values }} onApply={apply} />
      ))}
      <AddFilter {...{ entries, values }} isFirst={given.length === 0} onApply={apply} />
      {given.length > 1 && (
        <ButtonLink kind="quiet" isSmall href={hrefOf(path, { ...values, ...without(given) })}>
          Clear
        </ButtonLink>
      )}
    </div>
  );
}

interface ChipProps {
  readonly name: string;
  readonly filter: FilterOf;
  readonly values: Values;
  readonly onApply: (values: Values) => void;
}

function Chip({ name, filter, values, onApply }: ChipProps) {
  const id = useId();
  const text = textOf(name, filter, values);
  return (
    <span class="chip">
      <Button isSmall popovertarget={id}>
        <span class="soft">{filter.label}</span> {text}
      </Button>
      <Button
        isSmall
        aria-label={`Remove the filter ${filter.label}`}
        onClick={() => onApply(Object.fromEntries(namesOf(name, filter).map(one => [one, ''])))}
      >
        <Icon name="close" size={12} />
      </Button>
      <Popover id={id} label={filter.label}>
        {close => (
          <FilterEditor
            {...{ name, filter, values }}
            onApply={changed => {
              close();
              onApply(changed);
            }}
          />
        )}
      </Popover>
    </span>
  );
}

interface AddProps {
  readonly entries: readonly (readonly [name: string, filter: FilterOf])[];
  readonly values: Values;
  readonly isFirst: boolean;
  readonly onApply: (values: Values) => void;
}

function AddFilter({ entries, values, isFirst, onApply }: AddProps) {
  const id = useId();
  return (
    <>
      <span class="add-filter">
        <Button isSmall icon="filter" aria-label={isFirst ? undefined : 'Add a filter'} popovertarget={id}>
          {isFirst && <span class="icon-text">Filter</span>}
        </Button>
      </span>
      <Popover id={id} label="Add a filter">
        {close => (
          <OneOfFilters
            {...{ entries, values }}
            onApply={changed => {
              close();
              onApply(changed);
            }}
          />
        )}
      </Popover>
    </>
  );
}

/** The names of the filters, and then the values of one. */
function OneOfFilters({ entries, values, onApply }: Omit<AddProps, 'isFirst'>) {
  const [name, setName] = useState<string>();
  const filter = entries.find(([one]) => one === name)?.[1];
  if (name !== undefined && filter) {
    return (
      <>
        <p class="popover-title">{filter.label}</p>
        <FilterEditor {...{ name, filter, values, onApply }} />
      </>
    );
  }
  return <Names {...{ entries }} onChoose={setName} />;
}

function Names({ entries, onChoose }: Pick<AddProps, 'entries'> & { readonly onChoose: (name: string) => void }) {
  const box = useFocus<HTMLDivElement>();
  return (
    <div class="menu" ref={box}>
      {entries.map(([name, { label }]) => (
        <Button key={name} onClick={() => onChoose(name)}>
          {label}
        </Button>
      ))}
    </div>
  );
}
