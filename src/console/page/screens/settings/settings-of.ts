import type { ConsoleSettingsQuery } from '../../generated/graphql.js';

/** The record of the program, which the parts of the settings show. */
export type Program = NonNullable<ConsoleSettingsQuery['program']>;

export interface SettingsProps {
  readonly program: Program;
}
