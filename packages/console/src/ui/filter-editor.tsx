import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from './button.js';
import type { CodeInWords } from './codes.js';
import { TextField } from './field.js';
import { dayRanges, namesOf, type FilterOf, type Values } from './filter-words.js';
import { dayIn } from './time.js';

/** The number of codes that are offered at once. */
const MAX_OFFERED = 8;

interface EditorProps {
  readonly name: string;
  readonly filter: FilterOf;
  readonly values: Values;
  /** Takes over new values of the filter, by their names in the address; empty ones are given up. */
  readonly onApply: (values: Values) => void;
}

/**
 * Asks for the values of one filter. What can be chosen is taken over at once, what is typed by Enter or the button.
 */
export function FilterEditor({ name, filter, values, onApply }: EditorProps) {
  const names = namesOf(name, filter);
  const [typed, setTyped] = useState<Values>(() => Object.fromEntries(names.map(one => [one, values[one] ?? ''])));
  const box = useFocus<HTMLFormElement>();
  const { label, options, codes, range, ...control } = filter;
  if (options) return <Choices {...{ label, options, name, values, onApply }} />;
  const labels = range ? (filter.type ? ['From', 'To'] : ['At least', 'At most']) : [label];
  return (
    <form
      ref={box}
      class="filter-form"
      onSubmit={event => {
        event.preventDefault();
        onApply(typed);
      }}
    >
      {range && filter.type === 'date' && <DayRanges {...{ range, onApply }} />}
      {names.map((one, index) => (
        <TextField
          key={one}
          {...control}
          isFilter
          label={labels[index] ?? label}
          value={typed[one] ?? ''}
          onValue={value => setTyped(last => ({ ...last, [one]: value }))}
        />
      ))}
      {codes && <Codes codes={codes} typed={typed[name] ?? ''} onChoose={code => onApply({ [name]: code })} />}
      <Button type="submit" kind="primary">
        Apply
      </Button>
    </form>
  );
}

interface ChoicesProps extends Pick<EditorProps, 'name' | 'values' | 'onApply'> {
  readonly label: string;
  readonly options: NonNullable<FilterOf['options']>;
}

function Choices({ label, options, name, values, onApply }: ChoicesProps) {
  const box = useFocus<HTMLDivElement>();
  return (
    <div class="menu" role="group" aria-label={label} ref={box}>
      {options.map(([value, text]) => (
        <Button
          key={value}
          aria-pressed={values[name] === value}
          onClick={() => onApply({ [name]: values[name] === value ? '' : value })}
        >
          {text}
        </Button>
      ))}
    </div>
  );
}

function DayRanges({
  range: [from, to],
  onApply,
}: { readonly range: readonly [string, string] } & Pick<EditorProps, 'onApply'>) {
  const today = dayIn(Intl.DateTimeFormat().resolvedOptions().timeZone, new Date());
  return (
    <div class="buttons">
      {dayRanges(today).map(([label, first, last]) => (
        <Button key={label} isSmall onClick={() => onApply({ [from]: first, [to]: last })}>
          {label}
        </Button>
      ))}
    </div>
  );
}

interface CodesProps {
  readonly codes: readonly CodeInWords[];
  readonly typed: string;
  readonly onChoose: (code: string) => void;
}

/** Codes in words. What is typed narrows them down. */
function Codes({ codes, typed, onChoose }: CodesProps) {
  const text = typed.trim().toLowerCase();
  const offered = codes.filter(code => code.join(' ').toLowerCase().includes(text)).slice(0, MAX_OFFERED);
  return (
    <div class="buttons" role="group" aria-label="Suggestions">
      {offered.map(([code, spelled]) => (
        <Button key={code} isSmall title={code} onClick={() => onChoose(code)}>
          {spelled}
        </Button>
      ))}
    </div>
  );
}

/** The first control gets the focus when it appears. */
export function useFocus<Box extends HTMLElement>() {
  const box = useRef<Box>(null);
  useEffect(() => box.current?.querySelector<HTMLElement>('input, button')?.focus({ preventScroll: true }), []);
  return box;
}
