import type { ApprovalRules } from '../shared/approval.js';
import { canonicalJson, type Json } from '../shared/json.js';
import { mask } from '../shared/mask.js';
import type { ProgramRead } from './program.entity.js';
import type { ApprovalsRecord, LetterheadRecord, LogoRecord, ProgramRecord } from './program.inputs.js';

/** What is stored of a program: what operators may read, and the secrets to be sealed. */
export type ProgramContent = Pick<
  ProgramRead,
  'name' | 'letterhead' | 'payer' | 'errorResolution' | 'logo' | 'approvals' | 'clients' | 'checkFunds' | 'secrets'
>;

export function storedOf(record: ProgramRecord): ProgramContent {
  const { name, letterhead, payer, errorResolution, logo, approvals, clients, checkFunds } = record;
  const payerTaxId = payer?.taxId ?? null;
  return {
    name,
    letterhead: letterhead ? headOf(letterhead) : null,
    payer: payer ? { ...headOf(payer), taxId: payerTaxId && mask(payerTaxId) } : null,
    errorResolution: errorResolution
      ? {
          ...{ telephone: errorResolution.telephone, email: errorResolution.email ?? null },
          addressLines: errorResolution.addressLines,
        }
      : null,
    logo: logo ? pictureOf(logo) : null,
    approvals: approvals ? rulesOf(approvals) : null,
    clients: clients ?? [],
    checkFunds: checkFunds ?? false,
    secrets: { payerTaxId },
  };
}

function headOf({ name, addressLines, telephone }: LetterheadRecord) {
  return { name, addressLines: addressLines ?? [], telephone: telephone || null };
}

function rulesOf(rules: ApprovalsRecord): ApprovalRules {
  const { closingAccounts, reversalsAbove, postingClients, changingOwners, changingWebhookEndpoints } = rules;
  return {
    ...{ closingAccounts: closingAccounts ?? false, reversalsAbove: reversalsAbove || null },
    postingClients: postingClients ?? [],
    ...{ changingOwners: changingOwners ?? false, changingWebhookEndpoints: changingWebhookEndpoints ?? false },
  };
}

function pictureOf({ png, svgPath, viewBox, color }: LogoRecord) {
  return { png: png ?? null, svgPath: svgPath ?? null, viewBox: viewBox ?? null, color: color ?? null };
}

export function contentOf(program: ProgramRead): ProgramContent {
  const { name, letterhead, payer, errorResolution, logo, approvals, clients, checkFunds, secrets } = program;
  return { name, letterhead, payer, errorResolution, logo, approvals, clients, checkFunds, secrets };
}

/** The paths of the fields that differ, such as `payer.taxId`; of a new record those that have a value. */
export function changedFields(before: ProgramContent | null, after: ProgramContent): string[] {
  const [old, now] = [before ? fieldsOf(before) : new Map<string, string>(), fieldsOf(after)];
  return [...new Set([...now.keys(), ...old.keys()])].filter(path => old.get(path) !== now.get(path));
}

/** Values by their paths, as texts that can be compared; empty ones are left out. A logo is one value. */
function fieldsOf(content: ProgramContent) {
  const { name, letterhead, payer, errorResolution, logo, approvals, clients, checkFunds, secrets } = content;
  const whole = { ...payer, taxId: secrets.payerTaxId };
  const groups = { letterhead, payer: payer && whole, errorResolution, approvals };
  const fields: [string, unknown][] = Object.entries(groups).flatMap(([group, values]) =>
    Object.entries(values ?? {}).map(([field, value]): [string, unknown] => [`${group}.${field}`, value]),
  );
  const all: [string, unknown][] = [
    ['name', name],
    ...fields,
    ['logo', logo],
    ['clients', clients],
    ['checkFunds', checkFunds],
  ];
  const isEmpty = (value: unknown): boolean =>
    value === null || value === false || (Array.isArray(value) && value.length === 0);
  return new Map(
    all.filter(([, value]) => !isEmpty(value)).map(([path, value]) => [path, canonicalJson(value as Json)]),
  );
}
