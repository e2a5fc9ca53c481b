/** Where the last position is kept, for all tabs: what one of them wrote, the others show. */
const KEY = 'tillgate-position';
export const POSITION_HEADER = 'Tillgate-Position';

/**
 * The position of what the page wrote or was shown so far, as the gateway tells it. Sent with each request, so that no
 * replica of the database shows less. The later one of two positions is the greater text.
 */
export function lastPosition(): string | null {
  return localStorage.getItem(KEY);
}

export function notePosition(position: string | null | undefined): void {
  if (position && position > (lastPosition() ?? '')) localStorage.setItem(KEY, position);
}

/** The gateway does not know the position, as after a change of its keys. */
export function forgetPosition(): void {
  localStorage.removeItem(KEY);
}
