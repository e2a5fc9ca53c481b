import { useForm } from './form.js';

const MAX_REASON_CHARACTERS = 200;

/** Asks for the reason of a command, which is recorded with it. */
export function useReason(hint = 'For the records of the bank, without personal data.') {
  const fields = { reason: { label: 'Reason', hint, maxLength: MAX_REASON_CHARACTERS, autoFocus: true } };
  return useForm(fields, { isStacked: true });
}
