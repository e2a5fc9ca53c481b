import { words } from './words.js';

export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'neutral';

const TONES: Readonly<Record<string, Tone>> = {
  OPEN: 'good',
  RESTRICTED: 'warn',
  CLOSED: 'neutral',
  ACTIVE: 'good',
  INACTIVE: 'neutral',
  FROZEN: 'info',
  LOST: 'bad',
  STOLEN: 'bad',
  CAPTURED: 'good',
  RELEASED: 'neutral',
  EXPIRED: 'neutral',
  POSTED: 'good',
  PENDING: 'info',
  AUTHORIZATION: 'info',
  MEMO: 'neutral',
  WAITING: 'warn',
  APPROVED: 'good',
  FAILED: 'bad',
  REJECTED: 'bad',
  REFUSED: 'warn',
  DONE: 'good',
  DENIED: 'bad',
  RUNNING: 'info',
  FINISHED: 'good',
  STOPPED: 'warn',
  GIVEN_UP: 'bad',
  LEFT_OUT: 'warn',
  ENABLED: 'good',
  DISABLED: 'neutral',
  DELIVERED: 'good',
  EXPORTED: 'info',
  SENT: 'info',
  ACCEPTED: 'good',
  ACCEPTED_WITH_ERRORS: 'warn',
  REPLACED: 'neutral',
};

const SHAPES: Readonly<Record<Tone, string>> = {
  good: 'M4 0a4 4 0 1 1 0 8 4 4 0 0 1 0-8Z',
  warn: 'M4 .3 8 7.7H0Z',
  bad: 'M0 0h8v8H0Z',
  info: 'M4 0l4 4-4 4-4-4Z',
  neutral: 'M0 3h8v2H0Z',
};

interface StatusProps {
  /** A status of the API, such as `FROZEN`. */
  readonly value: string;
  readonly tone?: Tone;
  /** In place of the words of the status. */
  readonly label?: string;
}

/** A status in words, with a colour and a shape of its own. */
export function Status({ value, tone = TONES[value] ?? 'neutral', label = words(value) }: StatusProps) {
  return (
    <span class={`badge ${tone}`}>
      <svg viewBox="0 0 8 8" fill="currentColor" aria-hidden="true">
        <path d={SHAPES[tone]} />
      </svg>
      {label}
    </span>
  );
}
