// What tests have a page of the console do. Playwright sends the text of these functions to the browser.

/**
 * Whether the wanted element has the focus, whether a link that has it skips what is before it, and what is wrong with
 * the one that has it: no ring is drawn around it, or something lies over all of it.
 */
export function lookAtStop(wanted) {
  const focused = document.activeElement;
  if (focused === document.body || focused.tabIndex < 0) return { isThere: false, skips: false, complaint: null };
  const told = focused.outerHTML.slice(0, 200);
  const around = [focused, focused.parentElement, focused.closest('tr, li, label, fieldset, [role]')];
  const styles = around
    .filter(element => element !== null)
    .flatMap(element => [null, '::before', '::after'].map(part => getComputedStyle(element, part)));
  const isDrawn = ({ outlineStyle, outlineWidth, boxShadow }) =>
    (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none';
  // The button of a calendar in its field, and what is in a frame, have a ring of the browser's own.
  const isOfBrowser = focused.matches('input:not(:focus-visible), iframe');
  if (!isOfBrowser && !styles.some(isDrawn)) return { isThere: false, skips: false, complaint: `no ring: ${told}` };
  const { left, right, top, bottom } = focused.getBoundingClientRect();
  const isSeen = [left + 2, (left + right) / 2, right - 2].some(x =>
    [top + 2, (top + bottom) / 2, bottom - 2].some(y => {
      const there = document.elementFromPoint(x, y);
      return (
        there !== null && (focused.contains(there) || (there.contains(focused) && there.matches('label, tr, td, li')))
      );
    }),
  );
  const over = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)?.outerHTML.slice(0, 100);
  const place = [left, top, right, bottom].map(Math.round).join(' ');
  return {
    isThere: focused === wanted,
    skips: focused.matches('.skip') && wanted.closest('main') !== null,
    complaint: isSeen ? null : `${over} lies over it: ${told} at ${place}`,
  };
}

/** What axe-core finds on the page, each as one line. */
export async function findings() {
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
  const { violations } = await globalThis.axe.run(document, {
    runOnly: { type: 'tag', values: tags },
    resultTypes: ['violations'],
  });
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .map(({ html, any }) => `${html.slice(0, 160)} ${any[0]?.message ?? ''}`)
        .slice(0, 4)
        .join(' | ')}`,
  );
}

/** What makes the page wider than the window. */
export function offSide() {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  const wide = [...document.querySelectorAll('body *')].filter(
    element => element.getBoundingClientRect().right > clientWidth + 1,
  );
  return [
    `${scrollWidth} px: ${wide
      .map(element => element.outerHTML.slice(0, 120))
      .slice(0, 4)
      .join(' | ')}`,
  ];
}

/** What moves, or would when it changes, for longer than a hundredth of a second. */
export function moving() {
  const running = document
    .getAnimations()
    .map(({ effect }) => [effect.target, effect.getComputedTiming().duration / 1000]);
  const styled = [...document.querySelectorAll('*')].flatMap(element =>
    [null, '::before', '::after'].flatMap(part => {
      const { animationName, animationDuration, transitionDuration } = getComputedStyle(element, part);
      const durations = [transitionDuration, ...(animationName === 'none' ? [] : [animationDuration])];
      return durations.flatMap(list => list.split(',').map(duration => [element, parseFloat(duration)]));
    }),
  );
  return [...running, ...styled]
    .filter(([, seconds]) => seconds > 0.01)
    .map(([element, seconds]) => `${seconds} s: ${element.outerHTML.slice(0, 120)}`);
}

/** Whether a screen is there, and nothing stands in the place of what is being loaded. */
export function isLoaded() {
  return (
    document.querySelector('main h1') !== null &&
    ![...document.querySelectorAll('[role=status]')].some(({ textContent }) => textContent.startsWith('Loading'))
  );
}

/** What buttons are called. */
export function labelsOf(buttons) {
  return buttons.map(button => (button.getAttribute('aria-label') ?? button.textContent).trim());
}
