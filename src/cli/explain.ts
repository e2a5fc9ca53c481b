import { styleText } from 'node:util';
import type { Command, Help } from 'commander';
import type { Json } from '../shared/json.js';

/** The content of the help of a command besides its description, arguments and options. */
export interface Explanation {
  /**
   * The texts that its user has to know: one text a paragraph. Those that begin with a number and a full stop are
   * steps.
   */
  readonly about?: readonly string[];
  /** The settings that matter for it: name and meaning. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The object that `--json` prints, by an example. */
  readonly result?: Readonly<Record<string, Json>>;
  /** Ways to call it, each with what it does. The test of the help runs them. */
  readonly examples: Readonly<Record<string, string>>;
  /** The meanings of the exit statuses. */
  readonly status: Readonly<Record<string, string>>;
}

/** The meaning of the exit status of every command that was not done because of how it was called. */
export const WRONG_USAGE = 'wrong usage, or wrong settings: nothing was done';

// Commander takes the colours out again where there is no terminal, or where NO_COLOR says so.
const styled = (format: Parameters<typeof styleText>[0]) => (text: string) =>
  styleText(format, text, { validateStream: false });

/** The style of every help on a terminal. */
export const HELP_STYLE = {
  styleTitle: styled('bold'),
  styleCommandText: styled('cyan'),
  styleSubcommandText: styled('cyan'),
  styleOptionText: styled('green'),
  styleArgumentText: styled('yellow'),
};

/** Adds the explanation to the help of a command. */
export function explain(command: Command, explanation: Explanation): Command {
  return command.addHelpText('after', ({ error }) => {
    const help = command.createHelp();
    const output = command.configureOutput();
    help.prepareContext({ error, helpWidth: error ? output.getErrHelpWidth?.() : output.getOutHelpWidth?.() });
    return sectionsOf(explanation, help)
      .map(section => `\n${section}`)
      .join('\n');
  });
}

function sectionsOf({ about = [], settings = {}, result, examples, status }: Explanation, help: Help): string[] {
  const width = help.helpWidth ?? 80;
  return [
    ...about.map(text => paragraph(text, help, width)),
    ...(result === undefined ? [] : [`${help.styleTitle('Result with --json:')}\n${sample(result, width)}`]),
    ...table('Settings:', settings, help, name => help.styleOptionText(name)),
    `${help.styleTitle('Examples:')}\n${Object.entries(examples)
      .map(([line, does]) => `  ${help.styleCommandText(line)}\n      ${does}`)
      .join('\n')}`,
    ...table('Exit status:', status, help, value => help.styleArgumentText(value)),
  ];
}

function paragraph(text: string, help: Help, width: number): string {
  const [, step, rest = ''] = /^(\d\.) (.*)$/.exec(text) ?? [];
  return step === undefined ? help.boxWrap(text, width) : help.formatItem(step, step.length, rest, help);
}

/** In one line if it fits. */
function sample(result: Readonly<Record<string, Json>>, width: number): string {
  const indented = JSON.stringify(result, null, 2);
  const line = indented.replaceAll(/\n\s*/g, ' ');
  return (line.length <= width - 2 ? line : indented).replaceAll(/^/gm, '  ');
}

function table(
  title: string,
  rows: Readonly<Record<string, string>>,
  help: Help,
  style: (text: string) => string,
): string[] {
  const names = Object.keys(rows);
  if (names.length === 0) return [];
  const widest = Math.max(...names.map(name => name.length));
  const items = names.map(name => help.formatItem(style(name), widest, rows[name] ?? '', help));
  return [[help.styleTitle(title), ...items].join('\n')];
}
