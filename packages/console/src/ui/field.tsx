import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Icon } from './icon.js';
import { words } from './words.js';

interface FieldProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly error?: string | undefined;
  readonly isOptional?: boolean | undefined;
  readonly isWide?: boolean | undefined;
}

/** The attributes with which a control is named and described by its field. */
interface ControlAttributes {
  readonly id: string;
  readonly class: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': 'true' | undefined;
}

/** A control with its label, hint and error. */
export function Field({
  label,
  hint,
  error,
  isOptional,
  isWide,
  children,
}: FieldProps & { readonly children: (described: ControlAttributes) => ComponentChildren }) {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div class={isWide ? 'field wide' : 'field'}>
      <label for={id}>
        {label}
        {isOptional && <span class="optional"> (optional)</span>}
      </label>
      {children({
        id,
        class: 'control',
        'aria-describedby': described || undefined,
        'aria-invalid': error ? 'true' : undefined,
      })}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p class="field-error" id={`${id}-error`}>
          <Icon name="warning" size={14} />
          <span>{error}</span>
        </p>
      )}
    </div>
  );
}

export interface TextFieldProps extends FieldProps {
  /** True for a filter: empty means any, and the label does not say so. */
  readonly isFilter?: boolean;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly type?: 'text' | 'date' | 'datetime-local' | 'email' | 'tel' | 'month' | 'url';
  readonly isLong?: boolean;
  readonly inputMode?: 'decimal' | 'numeric';
  readonly maxLength?: number;
  readonly placeholder?: string;
  /** Checked before the form is sent. */
  readonly pattern?: string;
  readonly list?: string;
  readonly min?: string;
  readonly max?: string;
  readonly autoFocus?: boolean;
}

export function TextField({ label, hint, error, isOptional, isWide, ...control }: TextFieldProps) {
  const { onValue, isLong, isFilter, type = 'text', ...rest } = control;
  const required = !isOptional && !isFilter;
  return (
    <Field {...{ label, hint, error, isOptional, isWide }}>
      {described =>
        isLong ? (
          <textarea
            {...described}
            {...rest}
            {...{ required }}
            rows={3}
            onInput={event => onValue(event.currentTarget.value)}
          />
        ) : (
          <input
            {...described}
            {...rest}
            {...{ type, required }}
            autocomplete="off"
            spellcheck={false}
            onInput={event => onValue(event.currentTarget.value)}
          />
        )
      }
    </Field>
  );
}

export interface SelectProps<Value extends string> extends FieldProps {
  readonly value: Value;
  readonly onValue: (value: Value) => void;
  /** Values, or values with their own words. */
  readonly options: readonly (Value | readonly [Value, string])[];
}

export function Select<Value extends string>({ value, onValue, options, ...field }: SelectProps<Value>) {
  return (
    <Field {...field}>
      {described => (
        <select {...described} value={value} onChange={event => onValue(event.currentTarget.value as Value)}>
          {options.map(option => {
            const [one, text] = typeof option === 'string' ? [option, words(option)] : option;
            return (
              <option key={one} value={one}>
                {text}
              </option>
            );
          })}
        </select>
      )}
    </Field>
  );
}

interface CheckProps {
  readonly label: ComponentChildren;
  readonly isChecked: boolean;
  readonly onChecked: (isChecked: boolean) => void;
}

export function Check({ label, isChecked, onChecked }: CheckProps) {
  return (
    <label class="check">
      <input type="checkbox" checked={isChecked} onChange={event => onChecked(event.currentTarget.checked)} />
      <span>{label}</span>
    </label>
  );
}
