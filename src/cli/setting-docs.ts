import type { Setting, SettingGroup } from '../platform/settings/setting.js';
import { choicesOf, fallbackOf } from '../platform/settings/settings.js';

const MARKS = ['<!-- Settings: npm run generate -->', '<!-- End of the settings -->'] as const;
const COLUMNS = 120;

/** The page with its generated tables replaced. Throws where the page has no place for them. */
export function withSettings(page: string, groups: readonly SettingGroup[]): string {
  const [start, end] = MARKS.map(mark => page.indexOf(mark)) as [number, number];
  if (start < 0 || end < start) throw new Error(`docs/install.md lacks the lines: ${MARKS.join(', ')}`);
  const tables = [...byHeading(groups)].map(([heading, settings]) => {
    const rows = settings.map(([name, setting]) => row([`\`${name}\``, defaultOf(setting), describe(setting)]));
    return [`### ${heading}\n`, row(['setting', 'default', 'meaning']), row(['-', '-', '-']), ...rows].join('\n');
  });
  return `${page.slice(0, start)}${MARKS[0]}\n\n${tables.join('\n\n')}\n\n${page.slice(end)}`;
}

/** The text of `.env.example`. */
export function exampleOf(groups: readonly SettingGroup[]): string {
  const parts = [...byHeading(groups)].map(([heading, settings]) => {
    const lines = settings.flatMap(([name, setting]) => [
      ...comment(explain(setting)),
      `# ${name}=${valueOf(setting)}`,
    ]);
    return [`# --- ${heading} `.padEnd(COLUMNS, '-'), ...lines].join('\n');
  });
  const head = comment(
    'Copy this file to `.env` and set what you need: `npm start`, `npm run dev` and `npm run tillgate` read it. The environment overrides it, and an empty value counts as not set. Every setting has a default: without any setting you get a development gateway. A setting NAME can be in the file that NAME_FILE names. This file is generated: npm run generate -- settings',
  );
  return `${[head.join('\n'), ...parts].join('\n\n')}\n`;
}

function byHeading(groups: readonly SettingGroup[]): Map<string, [string, Setting][]> {
  const found = new Map<string, [string, Setting][]>();
  for (const { heading, settings } of groups) {
    found.set(heading, [...(found.get(heading) ?? []), ...Object.entries(settings)]);
  }
  return found;
}

/** The sentences of a setting, and the values that it takes. */
function describe(setting: Setting): string {
  if ('number' in setting) return `${setting.about} From ${setting.range.join(' to ')}.`;
  const values = choicesOf(setting).map(value => `\`${value}\``);
  return values.every(value => setting.about.includes(value))
    ? setting.about
    : `${setting.about} Values: ${values.join(', ')}.`;
}

/** The comment above a setting in `.env.example`. A link to a page of the docs becomes its path. */
function explain(setting: Setting): string {
  const unset = defaultOf(setting);
  const isShown = ['none', valueOf(setting), `\`${valueOf(setting)}\``].includes(unset);
  return `${describe(setting)}${isShown ? '' : ` Default: ${unset}.`}`
    .replaceAll(/\[([^\]]+)\]\(#[^)]+\)/g, '$1')
    .replaceAll(/\[([^\]]+)\]\(([^)]+)\)/g, '$1 (docs/$2)');
}

/** The default in words. */
function defaultOf(setting: Setting): string {
  const text = textOf(fallbackOf(setting, false));
  return setting.unset ?? (text === '' ? 'none' : `\`${text}\``);
}

/** The value that the example shows. */
function valueOf(setting: Setting): string {
  if (setting.isSecret) return '';
  return setting.example ?? textOf(fallbackOf(setting, false));
}

/** The text of a value in the environment; empty where `unset` and `example` have to say it. */
function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

function row(cells: readonly string[]): string {
  return `| ${cells.map(cell => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`;
}

/** Lines of comments within the width of the file. */
function comment(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + word.length < COLUMNS) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(`# ${word}`);
  }
  return lines;
}
