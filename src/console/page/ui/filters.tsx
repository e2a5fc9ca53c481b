import { useEffect, useState } from 'preact/hooks';
import { hrefOf, navigate, useAddress } from '../router.js';
import { Button, ButtonLink } from './button.js';
import { Select, TextField } from './field.js';

/** Where there is space the filters are always shown; elsewhere somebody opens them. */
const WIDE = '(min-width: 40rem)';

interface FilterOf {
  readonly label: string;
  readonly type?: 'date' | 'month';
  /** What the choice of nothing is called. */
  readonly any?: string;
  /** One of these, each with its words; any when absent. */
  readonly options?: readonly (readonly [value: string, words: string])[];
  readonly inputMode?: 'decimal';
  readonly placeholder?: string;
}

interface FiltersProps<Name extends string> {
  /** The name of the list that is filtered, for screen readers, such as `events`. */
  readonly noun: string;
  readonly path: string;
  readonly filters: Readonly<Record<Name, FilterOf>>;
}

/**
 * Fields whose values are in the address, so that a filtered list can be shared. They are taken over by Enter or by the
 * button.
 */
export function Filters<Name extends string>({ noun, path, filters }: FiltersProps<Name>) {
  const { query } = useAddress();
  const names = Object.keys(filters) as Name[];
  const given = Object.fromEntries(names.map(name => [name, query.get(name) ?? ''])) as Record<Name, string>;
  const [values, setValues] = useState(given);
  const address = JSON.stringify(given);
  useEffect(() => setValues(given), [address]);
  const set = (name: Name, value: string): void => setValues(last => ({ ...last, [name]: value }));
  const apply = (chosen: Readonly<Record<string, string>>): void => {
    const trimmed = Object.fromEntries(Object.entries(chosen).map(([name, value]) => [name, value.trim()]));
    navigate(hrefOf(path, trimmed));
  };
  const isGiven = names.some(name => given[name] !== '');
  return (
    <details class="filter-box" open={isGiven || matchMedia(WIDE).matches}>
      <summary>Filter {noun}</summary>
      <form
        class="filter-form"
        role="search"
        aria-label={`Filter ${noun}`}
        onSubmit={event => {
          event.preventDefault();
          apply(values);
        }}
      >
        {names.map(name => {
          const { label, options, any = 'Any', ...control } = filters[name];
          return options ? (
            <Select
              key={name}
              label={label}
              value={values[name]}
              // A choice is taken over at once; typed text when it is complete.
              onValue={value => apply({ ...values, [name]: value })}
              options={[['', any], ...options]}
            />
          ) : (
            <TextField
              key={name}
              {...{ label, ...control }}
              isFilter
              value={values[name]}
              onValue={value => set(name, value)}
            />
          );
        })}
        <div class="buttons">
          <Button type="submit">Filter</Button>
          {isGiven && (
            <ButtonLink kind="quiet" href={hrefOf(path)}>
              Clear
            </ButtonLink>
          )}
        </div>
      </form>
    </details>
  );
}
