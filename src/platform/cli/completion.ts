import type { Argument, Command, Option } from 'commander';
import { pathOf } from './wrong-usage.js';

/** What can be typed at some place of a command line. `null`: anything. */
export type Values = readonly string[] | 'file' | null;

/** A command as a shell has to know it. */
export interface Place {
  /** `tillgate keys rotate` */
  readonly path: string;
  readonly description: string;
  /** The names of the commands under it. */
  readonly commands: readonly string[];
  readonly options: readonly { flags: readonly string[]; takes: Values | undefined; description: string }[];
  readonly values: readonly Values[];
}

/** The command and all under it, the outer ones first. */
export function placesOf(command: Command): Place[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command);
  const place: Place = {
    path: pathOf(command),
    description: command.description(),
    commands: commands.map(inner => inner.name()),
    options: help.visibleOptions(command).map(option => ({
      flags: [option.short, option.long].filter(flag => flag !== undefined),
      takes: option.required || option.optional ? valuesOf(option) : undefined,
      description: option.description,
    })),
    values: command.registeredArguments.map(valuesOf),
  };
  // The command `help` is made by commander and belongs to no other one.
  return [place, ...commands.filter(inner => inner.parent === command).flatMap(placesOf)];
}

function valuesOf(declared: Argument | Option): Values {
  if (declared.argChoices) return declared.argChoices;
  const placeholder = 'flags' in declared ? declared.flags : `<${declared.name()}>`;
  return /[<[]file[>\]]$/.test(placeholder) ? 'file' : null;
}
