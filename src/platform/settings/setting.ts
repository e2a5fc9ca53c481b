/**
 * The declaration of a setting, from which its reader, `.env.example`, its row in the docs and its help are made. Its
 * first property names the kind, and has the default.
 */
export type Setting = Words & (TextSetting | NumberSetting | ChoiceSetting | FlagSetting | ListSetting | ParsedSetting);

/**
 * Settings that are read together, by their names, with their heading in the docs. Several groups may have one heading.
 */
export interface SettingGroup {
  readonly heading: string;
  readonly settings: Readonly<Record<string, Setting>>;
}

interface Words {
  /** Sentences in Markdown, of which the first stands alone. Links lead from the folder `docs`. */
  readonly about: string;
  /** The default in words, where the declaration does not show it. */
  readonly unset?: string;
  readonly example?: string;
  /** A value that nobody but the gateway may see: examples show none. */
  readonly isSecret?: true;
}

/** The value where the setting is not set, which may depend on whether the gateway is in production. */
type Fallback<Value> = Value | ((production: boolean) => Value);

/** Completes the sentence that begins with the name of the setting: what is wrong and what to do, never the value. */
type Problem = string;

interface TextSetting {
  readonly text: string | null;
  readonly isValid?: (text: string) => boolean;
  /** The problem of a text that is not valid. */
  readonly problem?: Problem;
  /** A rule whose problem depends on the text, or on other settings. */
  readonly problemOf?: (text: string, others: OtherSettings) => Problem | null;
}

export interface NumberSetting {
  readonly number: Fallback<number> | null;
  /** The least and the greatest number. */
  readonly range: readonly [number, number];
}

interface ChoiceSetting {
  readonly choice: string;
  readonly of: readonly string[];
}

interface FlagSetting {
  readonly flag: Fallback<boolean> | null;
  /** The thing that is refused in production if the flag is true, such as `demo data is`. */
  readonly refusedInProduction?: string;
}

/** Texts separated by commas, of which empty ones do not count. Without a text the list is empty. */
export interface ListSetting {
  /** The maximum number of texts. */
  readonly list: number;
  readonly areValid?: (texts: readonly string[]) => boolean;
  readonly problem?: Problem;
}

interface ParsedSetting {
  readonly parsed: unknown;
  /** The value of the text; null if it has none. */
  readonly parse: (text: string) => unknown;
  readonly problem: Problem;
}

/** Tells whether other settings are set, for rules that depend on them. */
export interface OtherSettings {
  isSet(name: string): boolean;
}

/** The values of a group, by the names of its settings. */
export type SettingValues<Group extends SettingGroup> = {
  readonly [Name in keyof Group['settings']]: ValueOf<Group['settings'][Name]>;
};

type ValueOf<Of extends Setting> = Of extends ParsedSetting
  ? NonNullable<ReturnType<Of['parse']>> | Of['parsed']
  : Of extends ListSetting
    ? readonly string[]
    : Of extends ChoiceSetting
      ? Of['of'][number]
      : Of extends NumberSetting
        ? number | Extract<Of['number'], null>
        : Of extends FlagSetting
          ? boolean | Extract<Of['flag'], null>
          : Of extends TextSetting
            ? string | Extract<Of['text'], null>
            : never;

/** The environment without these settings. */
export function withoutSettings(env: NodeJS.ProcessEnv, groups: readonly SettingGroup[]): NodeJS.ProcessEnv {
  const names = new Set(groups.flatMap(({ settings }) => Object.keys(settings)));
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.has(name.replace(/_FILE$/, ''))));
}
