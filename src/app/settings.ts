import { readFileSync } from 'node:fs';

/** Some settings are wrong. The message has one line for each: its name, what is wrong, what to do; never the value. */
export class BadSettings extends Error {
  override readonly name = 'BadSettings';
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/** The environment, setting by setting. Remembers what is wrong with each. */
export class Settings {
  readonly problems: string[] = [];
  private readonly env: NodeJS.ProcessEnv;
  private readonly files = new Map<string, string>();
  private readonly asked = new Set<string>();
  constructor(env: NodeJS.ProcessEnv) {
    this.env = env;
  }

  /**
   * Without the spaces and line ends that secret files and shells leave around a value. A setting `NAME` may be in the
   * file that `NAME_FILE` names, as Docker and Kubernetes hand out secrets.
   */
  text(name: string): string | null {
    const file = `${name}_FILE`;
    this.asked.add(name).add(file);
    if (!Object.hasOwn(this.env, file) || !this.env[file]) return this.env[name]?.trim() || null;
    if (!this.files.has(file)) this.files.set(file, this.contentOf(name, file));
    return this.files.get(file) || null;
  }

  /** What is no setting that was asked for: what programs of others are told by, such as `PATH`. */
  others(): NodeJS.ProcessEnv {
    return Object.fromEntries(Object.entries(this.env).filter(([name]) => !this.asked.has(name)));
  }

  private contentOf(name: string, file: string): string {
    if (this.env[name]) this.refuse(file, `is set, and ${name} as well. Unset one of them.`);
    try {
      return readFileSync(this.env[file] ?? '', 'utf8').trim();
    } catch {
      this.refuse(file, 'names a file that cannot be read. Check the path and the permissions.');
      return '';
    }
  }

  refuse(name: string, problem: string): void {
    this.problems.push(`${name} ${problem}`);
  }

  wholeNumber(name: string, { fallback, least, most }: { fallback: number; least: number; most: number }): number {
    const text = this.text(name);
    if (text === null) return fallback;
    const number = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
    if (number >= least && number <= most) return number;
    this.refuse(
      name,
      `must be a whole number from ${least} to ${most}. Set such a number, or unset it for ${fallback}.`,
    );
    return fallback;
  }

  choice<T extends string>(name: string, choices: readonly T[], fallback: T): T {
    const text = this.text(name);
    if (text === null) return fallback;
    const chosen = choices.find(choice => choice === text);
    if (chosen === undefined) this.refuse(name, `must be one of ${choices.join(', ')}. Set one of these, or unset it.`);
    return chosen ?? fallback;
  }
}
