import { Command } from 'commander';
import { UsageError } from '../shared/usage-error.js';

/** A word that may be said back: too plain to be anybody's data. */
const PLAIN_WORD = '(-{0,2}[a-z][a-z-]{0,30})';

/**
 * The problems, out of the code and the message of commander, whose messages repeat what was typed: nothing of that may
 * be personal.
 */
const SAID: Readonly<Record<string, (message: string) => string>> = {
  'commander.unknownCommand': message => `There is no ${plain(message, 'command')}.${suggestion(message)}`,
  'commander.unknownOption': message => `There is no ${plain(message, 'option')}.${suggestion(message)}`,
  'commander.missingArgument': message => `The argument <${last(message)}> is missing.`,
  'commander.missingMandatoryOptionValue': message => `The option ${last(message)} is missing.`,
  'commander.optionMissingArgument': message => `The option ${last(message)} needs a value.`,
  'commander.excessArguments': message =>
    `There are too many arguments: ${/Expected (\d+)/.exec(message)?.[1]} expected.`,
  'commander.invalidArgument': message => {
    const [, name, choices] = /'([^']+)'\. Allowed choices are ([^']+)\.$/.exec(message) ?? [];
    return `<${name}> must be one of ${choices}.`;
  },
};

/**
 * A command that throws its wrong usage as `UsageError`, with the way to its help, and leaves the telling to whoever
 * catches it.
 */
export class ThrowingCommand extends Command {
  override createCommand(name?: string): Command {
    return new ThrowingCommand(name);
  }

  override error(message: string, { code = '' }: { code?: string } = {}): never {
    const said = SAID[code]?.(message) ?? 'The command line is not valid.';
    throw new UsageError(`${said}\nSee: ${pathOf(this)} --help`);
  }
}

/** `tillgate keys rotate` */
export function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}

function plain(message: string, what: 'command' | 'option'): string {
  const [, word] = new RegExp(`^error: unknown ${what} '${PLAIN_WORD}['=]`).exec(message) ?? [];
  return word === undefined ? `such ${what}` : `${what} ${word}`;
}

function suggestion(message: string): string {
  const [, names] = /\n\(Did you mean (?:one of )?(.+)\?\)$/.exec(message) ?? [];
  return names === undefined ? '' : ` Did you mean ${names.replace(/, ([^,]+)$/, ' or $1')}?`;
}

/** The last quoted name of a message about what the command itself has declared. */
function last(message: string): string {
  return /'([^']+)'[^']*$/.exec(message)?.[1] ?? '';
}
