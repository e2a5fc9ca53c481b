import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { Visitor } from '../../../test/pages/visitor.js';
import { isLoaded, offSide } from './in-page.mjs';
import { Keyboard, Mouse, type InputDevice } from './hands.js';
import { tasksOfADay } from './tasks.js';

/** Chromium writes it when the gateway says that something is not there. */
const NOT_THERE = /^Failed to load resource: .* 404 /;

export type DemoRole = 'Viewer' | 'Operator' | 'Approver';

interface OperatorOptions {
  readonly by?: InputDevice['by'];
  readonly as?: DemoRole;
  readonly context?: BrowserContextOptions;
}

export function hrefOf(path: string): string {
  return `/console${path.replace(/^\/(?=\?|$)/, '')}`;
}

/** Somebody who works at the console in a browser of their own, by mouse or by keyboard. */
export class Operator {
  private constructor(
    private readonly visitor: Visitor,
    private readonly url: string,
    readonly hands: InputDevice,
  ) {}

  /** Sits down and signs in, at an address of the console. */
  static async at(
    browser: Browser | null,
    url: string,
    path: string,
    { by = 'mouse', as = 'Operator', context }: OperatorOptions = {},
  ): Promise<Operator> {
    const visitor = await Visitor.arrive(browser, url, context);
    const { page } = visitor;
    // Choosers of files are caught from the beginning: asked for as one opens, that may come too late.
    page.on('filechooser', () => undefined);
    const operator = new Operator(visitor, url, by === 'mouse' ? new Mouse(page) : new Keyboard(page));
    await operator.open(path);
    await operator.signIn(as);
    operator.hands.steps = 0;
    return operator;
  }

  get page(): Page {
    return this.visitor.page;
  }

  /** Where they are, below `/console`. */
  get address(): string {
    return this.page.url().slice(`${this.url}/console`.length) || '/';
  }

  /** What the page did that it must not: requests to other hosts, errors on the console, breaches of its policy. */
  get complaints(): readonly string[] {
    return [...this.visitor.elsewhere, ...this.visitor.complaints.filter(text => !NOT_THERE.test(text))];
  }

  async open(path: string): Promise<void> {
    await this.page.goto(`${this.url}${hrefOf(path)}`);
  }

  /** Begins anew at an address. What the page did before is forgotten. */
  async goOnAt(path: string): Promise<void> {
    this.visitor.complaints.length = 0;
    this.visitor.elsewhere.length = 0;
    this.hands.steps = 0;
    await this.open(path);
  }

  /** Ends a task of the day: it took at most the steps that are listed, and what it ended with fits into 320 px. */
  async did(task: string): Promise<void> {
    const { by, steps } = this.hands;
    const most = tasksOfADay().get(task)?.[by] ?? 0;
    if (steps > most) throw new Error(`'${task}' took ${steps} steps by ${by}, and is listed with ${most}.`);
    const desk = this.page.viewportSize();
    await this.page.setViewportSize({ width: 320, height: 640 });
    const wide = await this.page.evaluate(offSide);
    if (wide.length > 0) throw new Error(`After '${task}' the page is wider than 320 px: ${wide.join('\n')}`);
    if (desk) await this.page.setViewportSize(desk);
    this.hands.steps = 0;
  }

  async signIn(as: DemoRole): Promise<void> {
    await this.hands.press({ role: 'button', name: as });
    await this.page.getByRole('button', { name: 'Sign out', includeHidden: true }).waitFor({ state: 'attached' });
  }

  /** Waits until the screen is there and nothing is loading. */
  async settled(): Promise<void> {
    await this.page.getByRole('heading', { level: 1 }).first().waitFor();
    while (!(await this.page.evaluate(isLoaded))) await this.page.waitForTimeout(20);
  }

  press(role: Parameters<Page['getByRole']>[0], name: string | RegExp, where?: Locator): Promise<void> {
    return this.hands.press({ role, name, in: where });
  }

  /** Presses what has no role of its own, such as what opens more details. */
  pressText(text: string | RegExp): Promise<void> {
    return this.hands.pressIt(this.page.getByText(text).filter({ visible: true }).first());
  }

  /** Waits until it can be read on the page. */
  async reads(text: string | RegExp, where?: Locator): Promise<void> {
    await (where ?? this.page.locator('body')).getByText(text).filter({ visible: true }).first().waitFor();
  }

  /** The parts of the account that is shown. */
  get tabs(): Locator {
    return this.page.getByRole('navigation', { name: 'Account' });
  }

  dialog(name: string | RegExp): Locator {
    return this.page.getByRole('dialog', { name });
  }

  /** The row of a table in which this can be read. */
  row(text: string | RegExp): Locator {
    return this.page.getByRole('row').filter({ hasText: text }).first();
  }

  leave(): Promise<void> {
    return this.visitor.leave();
  }
}
