import type { ProgramRead } from '../../program/program.entity.js';
import { UsageError } from '../../../shared/usage-error.js';
import type { Logo } from '../statement.content.js';
import type { RunIssuer } from './issue-run.entity.js';
import type { IssueKind } from './period.js';

/** The issuers of the documents of a run, by program. */
export type RunIssuers = ReadonlyMap<string, RunIssuer>;

/** The programs that can issue documents of a kind, and those that cannot. */
export interface PresentIssuers {
  readonly issuers: RunIssuers;
  readonly incomplete: readonly IncompleteProgram[];
}

/** A program, and the paths of what it lacks that documents must say. */
export interface IncompleteProgram {
  readonly program: string;
  readonly missing: readonly string[];
}

/** The number of programs that are named. */
export const MAX_TOLD = 100;
const NO_RECORD = 'the record';

/** Tells the programs that can issue documents of a kind from those that cannot. */
export function presentIssuers(
  kind: IssueKind,
  programs: readonly (readonly [program: string, record: ProgramRead | null])[],
): PresentIssuers {
  const issuers = new Map<string, RunIssuer>();
  const incomplete: IncompleteProgram[] = [];
  for (const [program, record] of programs) {
    const missing = missingIn(kind, record);
    if (record && missing.length === 0) issuers.set(program, issuerOf(record));
    else incomplete.push({ program, missing });
  }
  return { issuers, incomplete };
}

/**
 * Lists what a program lacks for documents of a kind. A statement must say who issues it, where to direct inquiries,
 * and how errors are reported (12 CFR 1005.8(b), 1005.9(b)(5) and (6)); a Form 1099-INT must have the name, address,
 * telephone number and tax id of the payer (26 USC 6049(c)(1)(A), 26 CFR 1.6049-6(b)).
 */
export function missingIn(kind: IssueKind, program: ProgramRead | null): string[] {
  if (program === null) return [NO_RECORD];
  const { letterhead, payer, errorResolution, secrets } = program;
  const needed: Record<string, boolean> =
    kind === 'close'
      ? {
          'letterhead.name': Boolean(letterhead?.name),
          'letterhead.addressLines': Boolean(letterhead?.addressLines.length),
          errorResolution: errorResolution !== null,
        }
      : {
          'payer.name': Boolean(payer?.name),
          'payer.addressLines': Boolean(payer?.addressLines.length),
          'payer.telephone': Boolean(payer?.telephone),
          'payer.taxId': Boolean(secrets.payerTaxId),
        };
  return Object.entries(needed).flatMap(([path, isThere]) => (isThere ? [] : path));
}

/** Programs that cannot issue documents of a kind. Nothing was issued. */
export class ProgramsIncomplete extends UsageError {
  constructor(readonly programs: readonly IncompleteProgram[]) {
    const lines = programs.slice(0, MAX_TOLD).map(({ program, missing }) => `${program}: ${missing.join(', ')}`);
    if (programs.length > MAX_TOLD) lines.push(`${programs.length - MAX_TOLD} more programs`);
    super(
      `These programs lack what the documents must say, so nothing was issued. Complete them with tillgate programs set FILE, or name another --program.\n${lines.join('\n')}`,
    );
  }
}

/** The issuer of the documents of a program, as its record is. */
export function issuerOf(program: ProgramRead): RunIssuer {
  const { name, letterhead, payer, errorResolution, logo, statementsWithoutActivity, secrets } = program;
  const { addressLines = [], telephone = null } = letterhead ?? {};
  return {
    issuer: { name: letterhead?.name ?? name, addressLines, telephone, errorResolution },
    payer: payer && secrets.payerTaxId ? { ...payer, taxId: secrets.payerTaxId } : null,
    logo: logo && logoOf(logo),
    statementsWithoutActivity,
  };
}

function logoOf({ png, svgPath, viewBox, color }: NonNullable<ProgramRead['logo']>): Logo | null {
  if (png !== null) return { png };
  return svgPath && viewBox
    ? { svgPath, viewBox: viewBox as unknown as [number, number, number, number], color }
    : null;
}
