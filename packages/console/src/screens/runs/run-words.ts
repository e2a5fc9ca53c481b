import type { ConsoleRunFragment, LeftOutReason, StatementRunStarter } from '../../generated/graphql.js';

export const STARTED_BY: Readonly<Record<StatementRunStarter, string>> = {
  COMMAND_LINE: 'Command line',
  OPERATOR: 'Operator',
  GATEWAY: 'Tillgate',
};

/** Why an account got no document, and what helps. */
export const REASONS: Readonly<Record<LeftOutReason, string>> = {
  NO_TAX_ID:
    'The recipient has no tax id of the United States on record. Ask for it with Form W-9 and import the customer again; until then withhold 24 percent of the interest (26 USC 3406). The form is due without it as well.',
  NO_ADDRESS: 'The recipient has no postal address on record. Import the customer again.',
  NOT_USD: 'The account is not in US dollars, and a Form 1099-INT is. Report it in dollars outside of Tillgate.',
  RECIPIENT_UNKNOWN: 'The account had no owner at the end of the year. Find out whose interest it was.',
  PROGRAM_INCOMPLETE: 'The record of the program lacks what the document must say of its issuer. Complete it.',
  UNREADABLE: 'An owner or an earlier document cannot be decrypted. Put the missing key back.',
  TOO_MANY_ENTRIES: 'The account has more entries in the month than a statement takes. Send its owner a file.',
  UNPRINTABLE: 'The form has letters that no installed font can print. Install the font, or issue it by other means.',
  FOREIGN_PAYEE:
    'The recipient has certified to be no person of the United States. Report the interest on Form 1042-S.',
  TAKEN_BACK: 'More was taken back in the year than was paid, and a form has no negative amounts.',
  FAILED: 'The document could not be made. The log has the error, with the account.',
};

/** `Statements of March 2026`, `Forms 1099-INT of 2025`. */
export function titleOf({ documentType, period }: Pick<ConsoleRunFragment, 'documentType' | 'period'>): string {
  if (documentType === 'TAX_1099') return `Forms 1099-INT of ${period}`;
  return `Statements of ${monthOf(period)}`;
}

/** `March 2026`, of `2026-03`. */
export function monthOf(period: string): string {
  return new Date(`${period}-01T00:00:00Z`).toLocaleDateString('en-US', {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
}

/** The last months that are over everywhere, such as `2026-03`, the newest first. */
export function lastMonths(now: Date, count: number): readonly string[] {
  return Array.from({ length: count }, (_, ago) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1 - ago, 1)).toISOString().slice(0, 'YYYY-MM'.length),
  );
}

/** The last years, such as `2025`, the newest first. */
export function lastYears(now: Date, count: number): readonly string[] {
  return Array.from({ length: count }, (_, ago) => String(now.getUTCFullYear() - 1 - ago));
}
