import { useState } from 'preact/hooks';
import type { SelectProps, TextFieldProps } from './field.js';

export type Values = Readonly<Record<string, unknown>>;

interface Place {
  /** Begins a group of fields with this heading, or without one where it is empty. */
  readonly legend?: string;
  readonly isShown?: (values: Values) => boolean;
}
interface TextInForm extends Omit<TextFieldProps, 'value' | 'onValue' | 'error'>, Place {
  /** The separators of elements, where the text is a list. */
  readonly elements?: RegExp;
  /** Makes what is sent of the trimmed text. An empty one of an optional field is null. */
  readonly send?: (text: string) => unknown;
  /** Changes other fields along with the text, by their names. */
  readonly along?: (text: string, values: Values) => Values;
}
/** The empty value is sent as null. */
interface ChoiceInForm extends Omit<SelectProps<string>, 'value' | 'onValue' | 'error'>, Place {}
interface CheckInForm extends Place {
  readonly check: string;
}
/** Fields that are there as often as somebody adds them. */
interface RepeatedInForm extends Place {
  readonly legend: string;
  /** The name of one of them, such as `address`. */
  readonly repeated: string;
  readonly fields: FieldsByName;
  /** The values with which a new one begins. */
  readonly fresh?: Values;
  readonly max: number;
}
export type FieldInForm = TextInForm | ChoiceInForm | CheckInForm | RepeatedInForm;
/** The fields in their order, by the places of their values in the input, such as `name/first`. */
export type FieldsByName = Readonly<Record<string, FieldInForm>>;

type PathsOf<Input> = {
  [Name in keyof Input & string]: Name | PathsWithin<Name, NonNullable<Input[Name]>>;
}[keyof Input & string];
type PathsWithin<Name extends string, Value> = Value extends readonly unknown[]
  ? never
  : Value extends object
    ? `${Name}/${PathsOf<Value>}`
    : never;
/** Fields of an input, so that the compiler finds a name that it lacks. */
export type FieldsOf<Input> = Readonly<Partial<Record<PathsOf<Input>, FieldInForm>>>;

type Sent<Of> = Of extends { readonly send: (text: string) => infer Made }
  ? Made | (Of extends { readonly isOptional: true } ? null : never)
  : Of extends { readonly elements: RegExp }
    ? string[]
    : Of extends { readonly check: string }
      ? boolean
      : Of extends { readonly repeated: string; readonly fields: infer Fields }
        ? InputOf<Fields>[]
        : Of extends { readonly options: readonly (infer Option)[] }
          ? NullIfEmpty<Option extends readonly [infer Value, string] ? Value : Option>
          : string | (Of extends { readonly isOptional: true } | { readonly isFilter: true } ? null : never);
type NullIfEmpty<Value> = Value extends '' ? null : Value;
type Head<Name> = Name extends `${infer First}/${string}` ? First : Name;
/** The part of the values of these fields that is sent. */
export type InputOf<Fields> = {
  [Name in Head<keyof Fields & string>]: Name extends keyof Fields
    ? Sent<Fields[Name]>
    : InputOf<{ [Of in keyof Fields as Of extends `${Name}/${infer Rest}` ? Rest : never]: Fields[Of] }>;
};
type ValuesOf<Fields> = {
  readonly [Name in keyof Fields]: Fields[Name] extends { readonly check: string }
    ? boolean
    : Fields[Name] extends { readonly repeated: string; readonly fields: infer Inner }
      ? readonly ValuesOf<Inner>[]
      : Fields[Name] extends { readonly options: readonly (infer Option)[] }
        ? Option extends readonly [infer Value, string]
          ? Value
          : Option
        : string;
};

/** A form, as far as it is shown. */
export interface ShownForm<Fields = FieldsByName, Given = Values> {
  readonly fields: Fields;
  readonly values: Given;
  set(this: void, changes: Partial<Given>): void;
  /** Where the input is among the variables of the operation, such as `/input`. */
  readonly at: string;
  readonly isStacked: boolean;
}

export interface Form<Fields> extends ShownForm<Fields, ValuesOf<Fields>> {
  /** Makes what is sent. */
  readonly input: () => InputOf<Fields>;
  /** Makes what is sent of the changes that somebody made. */
  readonly changes: () => Partial<InputOf<Fields>>;
}

interface FormOptions {
  /** The values with which the fields begin, in the form of the input. */
  readonly from?: object | null | undefined;
  readonly at?: string;
  /** True if each field has a row of its own. */
  readonly isStacked?: boolean;
}

/** The values of a form, which `CommandDialog` shows and sends. */
export function useForm<const Fields extends FieldsByName>(
  fields: Fields,
  { from, at = '/input', isStacked = false }: FormOptions = {},
): Form<Fields> {
  const [before] = useState(() => valuesOf(fields, from));
  const [values, setValues] = useState(before);
  const changes = () => {
    const was: Values = inputOf(fields, before);
    const isChanged = ([name, value]: readonly [string, unknown]) =>
      JSON.stringify(value) !== JSON.stringify(was[name]);
    return Object.fromEntries(Object.entries(inputOf(fields, values)).filter(isChanged)) as Partial<InputOf<Fields>>;
  };
  const set = (changed: Partial<ValuesOf<Fields>>): void => setValues(last => ({ ...last, ...changed }));
  return { fields, values, set, at, isStacked, input: () => inputOf(fields, values), changes };
}

/** Returns the values with which fields begin. */
export function valuesOf<Fields extends FieldsByName>(fields: Fields, from: unknown): ValuesOf<Fields> {
  const first = ([name, field]: readonly [string, FieldInForm]): readonly [string, unknown] => {
    const value = name.split('/').reduce((of: unknown, key) => (Object(of) as Values)[key], from) as
      string | string[] | boolean | null | undefined;
    if ('check' in field) return [name, value === true];
    if ('repeated' in field) return [name, ((value ?? []) as unknown[]).map(one => valuesOf(field.fields, one))];
    const [option = ''] = 'options' in field ? [field.options[0]].flat() : [];
    return [name, Array.isArray(value) ? value.join('\n') : (value ?? option).toString()];
  };
  return Object.fromEntries(Object.entries(fields).map(first)) as ValuesOf<Fields>;
}

/** Makes what is sent of the values of these fields. */
export function inputOf<Fields extends FieldsByName>(fields: Fields, values: Values): InputOf<Fields> {
  const input: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const keys = name.split('/');
    const last = keys.pop() ?? name;
    const within = keys.reduce((of, key) => (of[key] ??= {}) as Record<string, unknown>, input);
    within[last] = sentOf(field, values[name]);
  }
  return input as InputOf<Fields>;
}

function sentOf(field: FieldInForm, value: unknown): unknown {
  if ('check' in field) return value;
  if ('repeated' in field) return (value as Values[]).map(one => inputOf(field.fields, one));
  const text = String(value).trim();
  if ('options' in field) return text || null;
  if (field.elements) return elementsOf(text, field.elements);
  if (text === '' && (field.isOptional || field.isFilter)) return null;
  return field.send ? field.send(text) : text;
}

export function elementsOf(text: string, separator: RegExp): string[] {
  const elements = text.split(separator).map(element => element.trim());
  return elements.filter(Boolean);
}
