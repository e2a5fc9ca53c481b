import { TextField } from './field.js';

const MAX_REASON_CHARACTERS = 200;

interface ReasonFieldProps {
  readonly hint?: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly error?: string | undefined;
}

/** Why something is done, which the dialog of a command asks for first. */
export function ReasonField({
  hint = 'For the records of the bank, without personal data.',
  ...control
}: ReasonFieldProps) {
  return <TextField label="Reason" maxLength={MAX_REASON_CHARACTERS} autoFocus {...{ hint, ...control }} />;
}
