import { Option } from 'commander';
import { BANK_ID, BANK_ID_FORM } from '../shared/ids.js';
import { GATEWAY_SETTINGS } from '../app/config.js';
import type { SettingGroup } from '../platform/settings/setting.js';
import { UsageError } from '../shared/usage-error.js';
import { periodOf, type IssueKind } from '../bank/statement/issue/period.js';

/** The named settings with the first sentence of what each means, for the help of a command. */
export function settings(...names: readonly string[]): Record<string, string> {
  const declared = Object.assign({}, ...GATEWAY_SETTINGS.map(group => group.settings)) as SettingGroup['settings'];
  return Object.fromEntries(names.map(name => [name, firstSentenceOf(declared[name]?.about ?? '')]));
}

/** The first sentence of Markdown, as plain text. */
function firstSentenceOf(about: string): string {
  const [sentence = ''] = about.split(/(?<=\.) (?=[A-Z`])/, 1);
  return sentence.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1').replaceAll('`', '');
}

/** For programs that read the result. */
export function jsonOption(): Option {
  return new Option('--json', 'print the result as one JSON object, and an error as {"error":{"code","message"}}');
}

export function programOption(description: string): Option {
  return new Option('--program <program>', `${description}, such as demo`).argParser(readProgram);
}

/** A program as access tokens name it. */
function readProgram(text: string): string {
  if (!BANK_ID.test(text)) throw new UsageError(`--program must be ${BANK_ID_FORM}.`);
  return text;
}

/** An option that is required: the period of a kind. */
export function periodOption(flags: string, description: string, kind: IssueKind): Option {
  const option = new Option(flags, description).makeOptionMandatory();
  return option.argParser((text: string) => {
    if (periodOf(kind, text) !== null) return text;
    throw new UsageError(`${option.long} must be ${description.replace(/^the (?:tax )?(\w+),/, 'a $1')}.`);
  });
}
