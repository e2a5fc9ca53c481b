import type { Locator, Page } from 'playwright-core';

type Role = Parameters<Page['getByRole']>[0];

/** What is on the page, by what a screen reader says of it. */
export interface Thing {
  readonly role: Role;
  readonly name: string | RegExp;
  /** Where it is, if the page has more of the kind. */
  readonly in?: Locator | undefined;
}

/** How somebody works at the console. */
export interface Hands {
  readonly by: 'mouse' | 'keyboard';
  press(thing: Thing): Promise<void>;
  /** Writes over what is in a text field. */
  write(label: string, text: string): Promise<void>;
  /** Fills a field of a day (YYYY-MM-DD). */
  writeDay(label: string, day: string): Promise<void>;
  choose(label: string, option: string): Promise<void>;
  /** Writes into the search of the page, from wherever one is. */
  search(text: string): Promise<void>;
  /** Goes on to the end of what is loaded. */
  scrollOn(): Promise<void>;
}

export class Mouse implements Hands {
  readonly by = 'mouse';
  constructor(private readonly page: Page) {}

  press(thing: Thing): Promise<void> {
    return find(this.page, thing).click();
  }

  write(label: string, text: string): Promise<void> {
    return field(this.page, label).fill(text);
  }

  writeDay(label: string, day: string): Promise<void> {
    return field(this.page, label).fill(day);
  }

  async choose(label: string, option: string): Promise<void> {
    await field(this.page, label).selectOption({ label: option });
  }

  async search(text: string): Promise<void> {
    const search = this.page
      .getByRole('searchbox')
      .or(this.page.getByRole('combobox', { name: /search/i }))
      .first();
    await search.click();
    await search.fill(text);
  }

  async scrollOn(): Promise<void> {
    await this.page.mouse.move(640, 400);
    await this.page.mouse.wheel(0, 20_000);
  }
}

/** More stops than any screen has. */
const MAX_STOPS = 400;

/** Tab, arrows, Enter and text: nothing else. At each stop the focus must be seen. */
export class Keyboard implements Hands {
  readonly by = 'keyboard';
  constructor(private readonly page: Page) {}

  async press(thing: Thing): Promise<void> {
    await this.reach(find(this.page, thing));
    await this.page.keyboard.press(thing.role === 'checkbox' || thing.role === 'radio' ? 'Space' : 'Enter');
  }

  async write(label: string, text: string): Promise<void> {
    await this.reach(field(this.page, label));
    await this.page.keyboard.press('ControlOrMeta+A');
    await this.page.keyboard.type(text);
  }

  async writeDay(label: string, day: string): Promise<void> {
    await this.reach(field(this.page, label));
    const [year, month, date] = day.split('-');
    await this.page.keyboard.type(`${month}${date}${year}`);
  }

  /** Closed lists choose the option that begins with what is typed. */
  async choose(label: string, option: string): Promise<void> {
    await this.reach(field(this.page, label));
    await this.page.keyboard.type(option);
  }

  async search(text: string): Promise<void> {
    await this.page.keyboard.press('/');
    await this.page.keyboard.type(text);
  }

  async scrollOn(): Promise<void> {
    await this.page.keyboard.press('End');
  }

  /** Goes to a control by Tab. */
  async reach(control: Locator): Promise<void> {
    await control.waitFor();
    for (let stop = 0; stop < MAX_STOPS; stop++) {
      const { isThere, complaint } = (await control.evaluate(LOOK_AT_STOP)) as Stop;
      if (complaint !== null) throw new Error(`The focus cannot be seen: ${complaint}`);
      if (isThere) return;
      await this.page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not lead to ${String(control)}.`);
  }
}

interface Stop {
  readonly isThere: boolean;
  readonly complaint: string | null;
}

/**
 * Whether the wanted element has the focus, and what is wrong with the one that has it: no ring is drawn around it or
 * around what contains it, or something lies over all of it (WCAG 2.4.7 and 2.4.11).
 */
const LOOK_AT_STOP = `wanted => {
  const focused = document.activeElement;
  const told = focused.outerHTML.slice(0, 200);
  if (focused === document.body || focused.tagName === 'MAIN' || focused.tabIndex < 0) return { isThere: false, complaint: null };
  const lines = [focused, focused.parentElement, focused.closest('tr, li, label, fieldset, [role]')].flatMap(element =>
    element ? [null, '::before', '::after'].map(part => getComputedStyle(element, part)) : []);
  const hasRing = lines.some(style => (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== 'none');
  if (!hasRing) return { isThere: false, complaint: 'no ring: ' + told };
  const { left, right, top, bottom } = focused.getBoundingClientRect();
  const xs = [left + 2, (left + right) / 2, right - 2], ys = [top + 2, (top + bottom) / 2, bottom - 2];
  const isSeen = xs.some(x => ys.some(y => {
    const there = document.elementFromPoint(x, y);
    return there && (focused.contains(there) || there.contains(focused) && there.matches('label, tr, td, li'));
  }));
  return { isThere: focused === wanted, complaint: isSeen ? null : 'something lies over it: ' + told };
}`;

function find(page: Page, { role, name, in: where }: Thing): Locator {
  return (where ?? page).getByRole(role, { name, exact: typeof name === 'string' }).first();
}

function field(page: Page, label: string): Locator {
  return page.getByLabel(label, { exact: true }).first();
}
