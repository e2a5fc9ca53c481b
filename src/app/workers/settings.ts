import { availableParallelism } from 'node:os';
import type { Settings } from '../settings.js';

const MAX_WORKERS = 64;

/** How many processes serve behind the port. */
export function readWorkers(settings: Settings): number {
  const text = settings.text('WORKERS');
  if (text === 'auto') return Math.min(MAX_WORKERS, availableParallelism());
  const number = text === null ? 1 : /^\d{1,2}$/.test(text) ? Number(text) : NaN;
  if (number >= 1 && number <= MAX_WORKERS) return number;
  settings.refuse(
    'WORKERS',
    `must be auto or a whole number from 1 to ${MAX_WORKERS}. Set auto for one process a CPU, or unset it for 1.`,
  );
  return 1;
}
