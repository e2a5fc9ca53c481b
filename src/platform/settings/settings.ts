import { readFileSync } from 'node:fs';
import type { ListSetting, NumberSetting, OtherSettings, Setting, SettingGroup, SettingValues } from './setting.js';

/** Some settings are wrong. The message has one line for each: its name, what is wrong, what to do; never the value. */
export class BadSettings extends Error {
  override readonly name = 'BadSettings';
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/** Reads settings from an environment by their declarations, and collects what is wrong with them. */
export class Settings implements OtherSettings {
  readonly production: boolean;
  private readonly env: NodeJS.ProcessEnv;
  private readonly problems: string[] = [];
  private readonly files = new Map<string, string>();
  private readonly values = new Map<string, unknown>();

  /** `production`: what `NODE_ENV` said, where it is no longer in the environment. */
  constructor(env: NodeJS.ProcessEnv, production?: boolean) {
    this.env = env;
    this.production = production ?? this.text('NODE_ENV') === 'production';
  }

  isSet(name: string): boolean {
    return this.text(name) !== null;
  }

  /** The values of a group. A value that is wrong is noted, and replaced by the default. */
  read<const Group extends SettingGroup>({ settings }: Group): SettingValues<Group> {
    const values = Object.entries(settings).map(([name, setting]) => {
      if (!this.values.has(name)) this.values.set(name, this.valueOf(name, setting));
      return [name, this.values.get(name)];
    });
    return Object.fromEntries(values) as SettingValues<Group>;
  }

  /** Notes that a setting is wrong. The problem completes a sentence that begins with the name. */
  refuse(name: string, problem: string): void {
    this.problems.push(`${name} ${problem}`);
  }

  /** True if all of these are set. If only some are set, the others are refused. */
  areSet(names: readonly string[], problem: string): boolean {
    const missing = names.filter(name => !this.isSet(name));
    if (missing.length < names.length) for (const name of missing) this.refuse(name, problem);
    return missing.length === 0;
  }

  /** Returns the result of reading. Throws `BadSettings`, which has all problems, if there are any. */
  checked<Result>(result: Result): Result {
    if (this.problems.length > 0) throw new BadSettings(this.problems);
    return result;
  }

  private valueOf(name: string, setting: Setting): unknown {
    const text = this.text(name);
    const fallback = fallbackOf(setting, this.production);
    if (text === null) return fallback;
    const problem = this.problemOf(setting, text, fallback);
    if (problem === null) return read(setting, text);
    this.refuse(name, problem);
    return fallback;
  }

  private problemOf(setting: Setting, text: string, fallback: unknown): string | null {
    if ('number' in setting) return numberProblem(setting, text, fallback ?? setting.unset);
    if ('parsed' in setting) return setting.parse(text) === null ? setting.problem : null;
    if ('list' in setting) return listProblem(setting, itemsOf(text));
    if ('text' in setting) {
      const { isValid, problemOf, problem = '' } = setting;
      return isValid?.(text) === false ? problem : (problemOf?.(text, this) ?? null);
    }
    if ('flag' in setting && text === 'true' && setting.refusedInProduction && this.production) {
      return `is true, and ${setting.refusedInProduction} refused in production. Unset it.`;
    }
    const choices = choicesOf(setting);
    return choices.includes(text) ? null : `must be one of ${choices.join(', ')}. Set one of these, or unset it.`;
  }

  /**
   * Without the spaces and line ends that secret files and shells leave around a value. A setting `NAME` may be in the
   * file that `NAME_FILE` names, as Docker and Kubernetes hand out secrets.
   */
  private text(name: string): string | null {
    const file = `${name}_FILE`;
    if (!Object.hasOwn(this.env, file) || !this.env[file]) return this.env[name]?.trim() || null;
    if (!this.files.has(file)) this.files.set(file, this.contentOf(name, file));
    return this.files.get(file) || null;
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
}

/** The value of a setting that is not set. */
export function fallbackOf(setting: Setting, production: boolean): unknown {
  if ('list' in setting) return [];
  const [fallback] = Object.values(setting) as readonly unknown[];
  return typeof fallback === 'function' ? (fallback as (production: boolean) => unknown)(production) : fallback;
}

/** The values of a setting that takes no others. */
export function choicesOf(setting: Setting): readonly string[] {
  return 'choice' in setting ? setting.of : 'flag' in setting ? ['true', 'false'] : [];
}

function read(setting: Setting, text: string): unknown {
  if ('number' in setting) return Number(text);
  if ('flag' in setting) return text === 'true';
  if ('list' in setting) return itemsOf(text);
  return 'parsed' in setting ? setting.parse(text) : text;
}

function itemsOf(text: string): readonly string[] {
  return text
    .split(',')
    .map(item => item.trim())
    .filter(item => item !== '');
}

function numberProblem({ range: [least, most] }: NumberSetting, text: string, instead: unknown): string | null {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
  if (number >= least && number <= most) return null;
  return `must be a whole number from ${least} to ${most}. Set such a number, or unset it for ${String(instead)}.`;
}

function listProblem({ list: most, areValid, problem = '' }: ListSetting, items: readonly string[]): string | null {
  if (items.length > most) return `must have at most ${most} entries. Remove some entries.`;
  return areValid?.(items) === false ? problem : null;
}
