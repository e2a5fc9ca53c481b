import type { ConsoleSettingsQuery } from '../../generated/graphql.js';

/** The record of the program, which the parts of the settings show. */
export type Program = NonNullable<ConsoleSettingsQuery['program']>;

/** The number of currencies for which a program may have limits. */
export const MAX_CURRENCIES = 20;

export interface SettingsProps {
  readonly program: Program;
}
