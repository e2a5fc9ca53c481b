/**
 * Whether an element has the focus, whether a link that has it skips what is before the element, and what is wrong with
 * the one that has it (WCAG 2.4.7 and 2.4.11).
 */
export function lookAtStop(wanted: object): {
  readonly isThere: boolean;
  readonly skips: boolean;
  readonly complaint: string | null;
};
/** What axe-core, which must be on the page, finds there. */
export function findings(): Promise<readonly string[]>;
/** What makes the page wider than the window. */
export function offSide(): readonly string[];
/** What moves, or would when it changes, for longer than a hundredth of a second. */
export function moving(): readonly string[];
/** Whether a screen is there, and nothing of it is being loaded. */
export function isLoaded(): boolean;
/** What buttons are called. */
export function labelsOf(buttons: readonly object[]): readonly string[];
