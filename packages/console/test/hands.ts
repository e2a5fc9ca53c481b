import type { Locator, Page } from 'playwright-core';
import { until } from '../../../test/support/until.js';
import { lookAtStop } from './in-page.mjs';

type Role = Parameters<Page['getByRole']>[0];

/** What is on the page, by what a screen reader says of it. */
export interface PageElement {
  readonly role: Role;
  readonly name: string | RegExp;
  /** Where it is, if the page has more of the kind. */
  readonly in?: Locator | undefined;
}

/** A file of the operator's computer. */
export interface File {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

/** How somebody works at the console. */
export interface InputDevice {
  readonly by: 'mouse' | 'keyboard';
  /** The steps since somebody has begun: clicks, choices and texts of the mouse; keys and texts of the keyboard. */
  steps: number;
  press(thing: PageElement): Promise<void>;
  pressIt(control: Locator): Promise<void>;
  /** Writes over what is in a text field, in a part of the page where it has more of the name. */
  write(label: string, text: string, where?: Locator): Promise<void>;
  /** Fills a field of a day (YYYY-MM-DD). */
  writeDay(label: string, day: string): Promise<void>;
  choose(label: string, option: string): Promise<void>;
  /** Picks a file of this content. */
  attach(label: string, file: File): Promise<void>;
  /** Writes into the search of the page, from wherever one is. */
  search(text: string): Promise<void>;
  /** Goes on to the end of what is loaded. */
  scrollOn(): Promise<void>;
}

export class Mouse implements InputDevice {
  readonly by = 'mouse';
  steps = 0;
  constructor(private readonly page: Page) {}

  press(thing: PageElement): Promise<void> {
    return this.pressIt(find(this.page, thing));
  }

  pressIt(control: Locator): Promise<void> {
    this.steps += 1;
    return control.click();
  }

  write(label: string, text: string, where?: Locator): Promise<void> {
    this.steps += 1;
    return field(where ?? this.page, label).fill(text);
  }

  writeDay(label: string, day: string): Promise<void> {
    this.steps += 1;
    return field(this.page, label).fill(day);
  }

  async choose(label: string, option: string): Promise<void> {
    this.steps += 1;
    await field(this.page, label).selectOption({ label: option });
  }

  async attach(label: string, file: File): Promise<void> {
    this.steps += 1;
    const [chooser] = await Promise.all([this.page.waitForEvent('filechooser'), field(this.page, label).click()]);
    await chooser.setFiles(file);
  }

  async search(text: string): Promise<void> {
    const search = this.page
      .getByRole('searchbox')
      .or(this.page.getByRole('combobox', { name: /search/i }))
      .first();
    this.steps += 1;
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
const SCROLLS_WITHIN_MS = 2000;

/** Tab, arrows, Enter and text: nothing else. At each stop the focus must be seen. */
export class Keyboard implements InputDevice {
  readonly by = 'keyboard';
  steps = 0;
  constructor(private readonly page: Page) {}

  async press(thing: PageElement): Promise<void> {
    const control = find(this.page, thing);
    if (thing.role === 'option') await this.choosing(control);
    else await this.reach(control);
    await this.key(thing.role === 'checkbox' || thing.role === 'radio' ? 'Space' : 'Enter');
  }

  async pressIt(control: Locator): Promise<void> {
    await this.reach(control);
    await this.key('Enter');
  }

  async write(label: string, text: string, where?: Locator): Promise<void> {
    await this.reach(field(where ?? this.page, label));
    await this.key('ControlOrMeta+A');
    await this.type(text);
  }

  async writeDay(label: string, day: string): Promise<void> {
    await this.reach(field(this.page, label));
    const [year, month, date] = day.split('-');
    await this.type(`${month}${date}${year}`);
  }

  /** Closed lists choose the option that begins with what is typed. */
  async choose(label: string, option: string): Promise<void> {
    await this.reach(field(this.page, label));
    await this.type(option);
  }

  async attach(label: string, file: File): Promise<void> {
    await this.reach(field(this.page, label));
    const [chooser] = await Promise.all([this.page.waitForEvent('filechooser'), this.key('Space')]);
    await chooser.setFiles(file);
  }

  async search(text: string): Promise<void> {
    await this.page.locator('[data-search]').waitFor();
    // A key that is pressed before the page listens is lost, and people press it again.
    await until(async () => {
      await this.key('/');
      return (await this.page.locator('[data-search]:focus').count()) === 1;
    });
    await this.type(text);
  }

  async scrollOn(): Promise<void> {
    await this.key('End');
  }

  private async key(name: string): Promise<void> {
    this.steps += 1;
    await this.page.keyboard.press(name);
  }

  private async type(text: string): Promise<void> {
    this.steps += 1;
    await this.page.keyboard.type(text);
  }

  /** Where the focus is. What comes in beside it may push it out of sight for a moment, until the page has scrolled. */
  private async look(control: Locator): Promise<ReturnType<typeof lookAtStop>> {
    const soon = performance.now() + SCROLLS_WITHIN_MS;
    for (;;) {
      const stop = await control.evaluate(lookAtStop);
      if (stop.complaint === null || performance.now() > soon) return stop;
    }
  }

  /** Goes to an option of an open list by the arrows, while the focus stays in its field. */
  private async choosing(option: Locator): Promise<void> {
    await option.waitFor();
    for (let step = 0; step < MAX_STOPS; step++) {
      if ((await option.getAttribute('aria-selected')) === 'true') return;
      await this.key('ArrowDown');
    }
    throw new Error(`The arrows do not lead to ${String(option)}.`);
  }

  /** Goes to a control by Tab, and past the navigation, once it can be used, as a click waits for that. */
  private async reach(control: Locator): Promise<void> {
    await control.waitFor();
    await until(() => control.isEnabled());
    for (let stop = 0; stop < MAX_STOPS; stop++) {
      const { isThere, skips, complaint } = await this.look(control);
      if (complaint !== null) throw new Error(`The focus cannot be seen: ${complaint}`);
      if (isThere) return;
      await this.key(skips ? 'Enter' : 'Tab');
    }
    throw new Error(`Tab does not lead to ${String(control)}.`);
  }
}

function find(page: Page, { role, name, in: where }: PageElement): Locator {
  return (where ?? page).getByRole(role, { name, exact: typeof name === 'string' }).first();
}

function field(where: Page | Locator, label: string): Locator {
  return where.getByLabel(label, { exact: true }).and(where.locator('input, select, textarea')).first();
}
