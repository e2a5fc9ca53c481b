import { Fragment } from 'preact';
import { Check, Select, TextField } from './field.js';
import { elementsOf, valuesOf, type FieldInForm, type ShownForm, type Values } from './form.js';
import { Repeated } from './repeated.js';

type ErrorAt = (pointer: string) => string | undefined;

interface ControlsProps {
  readonly of: readonly (readonly [string, FieldInForm])[];
  readonly values: Values;
  readonly set: (changes: Values) => void;
  readonly errorOf: ErrorAt;
}

function Controls({ of, values, set, errorOf }: ControlsProps) {
  const shown = of.filter(([, { isShown }]) => isShown?.(values) !== false);
  return shown.map(([name, field]) => <Control key={name} {...{ name, field, values, set, errorOf }} />);
}

function Control({
  name,
  field,
  values,
  set,
  errorOf,
}: Omit<ControlsProps, 'of'> & { name: string; field: FieldInForm }) {
  if ('repeated' in field) {
    const { legend, repeated, fields, fresh, max } = field;
    return (
      <Repeated
        {...{ legend, max }}
        noun={repeated}
        items={values[name] as readonly Values[]}
        onItems={items => set({ [name]: items })}
        fresh={valuesOf(fields, fresh)}
      >
        {(item, change, index) => (
          <Controls
            of={Object.entries(fields)}
            values={item}
            set={change}
            // A problem of the element as a whole is told at its first field.
            errorOf={inner =>
              errorOf(`${name}/${index}/${inner}`) ??
              (inner === Object.keys(fields)[0] ? errorOf(`${name}/${index}`) : undefined)
            }
          />
        )}
      </Repeated>
    );
  }
  if ('check' in field) {
    return (
      <Check
        label={field.check}
        isChecked={values[name] === true}
        onChecked={isChecked => set({ [name]: isChecked })}
      />
    );
  }
  const value = String(values[name]);
  if ('options' in field) {
    return <Select {...propsOf(field)} {...{ value }} onValue={one => set({ [name]: one })} error={errorOf(name)} />;
  }
  const { elements, along } = field;
  return (
    <TextField
      {...propsOf(field)}
      {...(elements && { isLong: true, isWide: true })}
      {...{ value }}
      onValue={typed => set({ ...along?.(typed, values), [name]: typed })}
      error={elements ? errorInList(errorOf, name, elementsOf(value, elements)) : errorOf(name)}
    />
  );
}

const NOT_PROPS: ReadonlySet<string> = new Set(['legend', 'isShown', 'elements', 'send', 'along']);

/** Returns the part of a field that the control itself takes. */
function propsOf<Of extends FieldInForm>(field: Of): Of {
  return Object.fromEntries(Object.entries(field).filter(([name]) => !NOT_PROPS.has(name))) as Of;
}

/** The first thing that is wrong with a list or with an element of it. */
function errorInList(errorOf: ErrorAt, name: string, elements: readonly string[]): string | undefined {
  const wrong = elements.findIndex((_, index) => errorOf(`${name}/${index}`) !== undefined);
  return errorOf(name) ?? (wrong < 0 ? undefined : `${elements[wrong]}: ${errorOf(`${name}/${wrong}`)}`);
}

/** The fields of a form, in groups. */
export function Fields({ form, errorAt }: { readonly form: ShownForm; readonly errorAt: ErrorAt }) {
  const { fields, values, set, at, isStacked } = form;
  const groups: (readonly [string, FieldInForm])[][] = [];
  for (const entry of Object.entries(fields)) {
    if (groups.length === 0 || entry[1].legend !== undefined) groups.push([entry]);
    else groups.at(-1)?.push(entry);
  }
  return groups.map(of => {
    const [[name, first] = ['', { check: '' }]] = of;
    const controls = <Controls {...{ of, values, set }} errorOf={inner => errorAt(`${at}/${inner}`)} />;
    if ('repeated' in first) return controls;
    const body = isStacked ? controls : <div class="fields">{controls}</div>;
    if (!first.legend) return <Fragment key={name}>{body}</Fragment>;
    return (
      <fieldset key={name}>
        <legend>{first.legend}</legend>
        {body}
      </fieldset>
    );
  });
}
