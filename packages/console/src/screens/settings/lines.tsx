import { TextField } from '../../ui/field.js';

/** The lines of a text, without empty ones. */
export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map(line => line.trim())
    .filter(Boolean);
}

/** The first of these errors that there is: of a list, or of one of its elements. */
function errorAmong(
  errorAt: (pointer: string) => string | undefined,
  pointer: string,
  count: number,
): string | undefined {
  const elements = Array.from({ length: count }, (_, index) => `${pointer}/${index}`);
  return [pointer, ...elements].map(errorAt).find(Boolean);
}

interface LinesFieldProps {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  /** Of the list that the lines become, such as `/input/clients`. */
  readonly pointer: string;
  readonly errorAt: (pointer: string) => string | undefined;
  readonly isRequired?: boolean;
}

/** A list, of which each line is an element. */
export function LinesField({ pointer, errorAt, isRequired = false, ...field }: LinesFieldProps) {
  const error = errorAmong(errorAt, pointer, linesOf(field.value).length);
  return <TextField {...field} {...{ error }} isLong isWide isOptional={!isRequired} />;
}
