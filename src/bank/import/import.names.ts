/** The kinds of records that can be imported, by their names on the command line and in the paths of REST. */
export const IMPORT_NAMES = [
  'programs',
  'customers',
  'accounts',
  'beneficiaries',
  'transactions',
  'transfers',
] as const;
export type ImportName = (typeof IMPORT_NAMES)[number];
