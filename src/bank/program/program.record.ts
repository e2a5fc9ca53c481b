import type { ApprovalRules } from '../../shared/approval.js';
import { canonicalJson, type Json } from '../../shared/json.js';
import { mask } from '../../shared/mask.js';
import type { CurrencyAmount } from '../../shared/money.js';
import type { ProgramPayer, ProgramRead } from './program.entity.js';
import type { TransferRules } from '../../shared/transfer-rules.js';
import type { LetterheadInput, LogoInput, PayerInput, ProgramPatch } from './program.inputs.js';
import type { ProgramApprovalsInput, ProgramTransfersInput } from './program-rules.inputs.js';

/** A program as it is stored: columns that operators may read, and the secrets to be sealed. */
export type ProgramContent = Pick<
  ProgramRead,
  | 'name'
  | 'letterhead'
  | 'payer'
  | 'errorResolution'
  | 'logo'
  | 'approvals'
  | 'transfers'
  | 'clients'
  | 'checkFunds'
  | 'exactSearch'
  | 'statementsWithoutActivity'
  | 'operatorGroups'
  | 'retentionYears'
  | 'secrets'
>;

/**
 * Returns what is stored once a record is set. What the record leaves out stays as it is, inside of its groups as well,
 * so that no control of a program is lost by being left out; null removes it (RFC 7396). A logo is one value.
 */
export function storedOf(record: ProgramPatch, before: ProgramContent | null): ProgramContent {
  const { letterhead, payer, errorResolution, logo, approvals, transfers, clients, checkFunds } = record;
  const { exactSearch, statementsWithoutActivity, operatorGroups, retentionYears } = record;
  const taxId = payerTaxIdOf(payer, before);
  return {
    name: nameOf(record, before),
    letterhead: merged(letterhead, before?.letterhead, headOf),
    payer: merged(payer, before?.payer, (sent, old) => ({
      ...headOf(sent, old),
      taxId: taxId && mask(taxId),
      ...stateOf(sent, old),
    })),
    errorResolution: merged(errorResolution, before?.errorResolution, (sent, old) => ({
      telephone: sent.telephone,
      email: valueAfter(sent.email, old?.email) ?? null,
      addressLines: sent.addressLines,
    })),
    logo: merged(logo, before?.logo, pictureOf),
    approvals: merged(approvals, before?.approvals, rulesOf),
    transfers: merged(transfers, before?.transfers, transferRulesOf),
    clients: valueAfter(clients, before?.clients) ?? [],
    checkFunds: valueAfter(checkFunds, before?.checkFunds) ?? false,
    exactSearch: valueAfter(exactSearch, before?.exactSearch) ?? false,
    statementsWithoutActivity:
      valueAfter(statementsWithoutActivity, before?.statementsWithoutActivity) ?? 'WITH_BALANCE',
    operatorGroups:
      valueAfter(operatorGroups, before?.operatorGroups)?.map(({ name, roles }) => ({ name, roles })) ?? [],
    retentionYears: valueAfter(retentionYears, before?.retentionYears) ?? null,
    secrets: { payerTaxId: taxId },
  };
}

/** A record has a name, and of a patch the program is on record. */
function nameOf({ name }: ProgramPatch, before: ProgramContent | null): string {
  return name ?? before?.name ?? '';
}

function payerTaxIdOf(payer: ProgramPatch['payer'], before: ProgramContent | null): string | null {
  if (payer === null) return null;
  return valueAfter(payer?.taxId, before?.secrets.payerTaxId) ?? null;
}

/** The value that was sent, null included; the one before where a record leaves it out. */
function valueAfter<Value>(sent: Value | undefined, before: Value | undefined): Value | undefined {
  const isLeftOut = sent === undefined;
  return isLeftOut ? before : sent;
}

/** A group of fields: as it is where the record leaves it out, null where that says so. */
function merged<Sent, Stored>(
  sent: Sent | null | undefined,
  before: Stored | null | undefined,
  merge: (sent: Sent, before: Stored | null) => Stored,
): Stored | null {
  if (sent === undefined) return before ?? null;
  return sent === null ? null : merge(sent, before ?? null);
}

type Head = NonNullable<ProgramContent['letterhead']>;

function headOf({ name, addressLines, telephone }: LetterheadInput, before: Head | null): Head {
  return {
    name,
    addressLines: valueAfter(addressLines, before?.addressLines) ?? [],
    telephone: valueAfter(telephone, before?.telephone) || null,
  };
}

function stateOf(sent: PayerInput, before: ProgramContent['payer']): Pick<ProgramPayer, 'state' | 'stateTaxId'> {
  return {
    state: valueAfter(sent.state, before?.state) || null,
    stateTaxId: valueAfter(sent.stateTaxId, before?.stateTaxId) || null,
  };
}

function rulesOf(rules: ProgramApprovalsInput, before: ApprovalRules | null): ApprovalRules {
  return {
    agentProposals: valueAfter(rules.agentProposals, before?.agentProposals) ?? false,
    closingAccounts: valueAfter(rules.closingAccounts, before?.closingAccounts) ?? false,
    reversalsAbove: amountsOf(valueAfter(rules.reversalsAbove, before?.reversalsAbove)),
    postingClients: valueAfter(rules.postingClients, before?.postingClients) ?? [],
    postingsAbove: amountsOf(valueAfter(rules.postingsAbove, before?.postingsAbove)),
    transfersAbove: amountsOf(valueAfter(rules.transfersAbove, before?.transfersAbove)),
    changingOwners: valueAfter(rules.changingOwners, before?.changingOwners) ?? false,
    changingWebhookEndpoints: valueAfter(rules.changingWebhookEndpoints, before?.changingWebhookEndpoints) ?? false,
    changingTransferLimits: valueAfter(rules.changingTransferLimits, before?.changingTransferLimits) ?? false,
    erasingCustomers: valueAfter(rules.erasingCustomers, before?.erasingCustomers) ?? false,
    documents: valueAfter(rules.documents, before?.documents) ?? false,
  };
}

function amountsOf(thresholds: readonly CurrencyAmount[] | null | undefined): CurrencyAmount[] {
  return thresholds?.map(({ currency, amount }) => ({ currency, amount })) ?? [];
}

function transferRulesOf({ customersTo, limits }: ProgramTransfersInput, before: TransferRules | null): TransferRules {
  const sent = limits?.map(({ currency, perTransfer, perDay, per30Days, transfersPerDay, cardHoldsPerDay }) => ({
    currency,
    perTransfer: perTransfer ?? null,
    perDay: perDay ?? null,
    per30Days: per30Days ?? null,
    transfersPerDay: transfersPerDay ?? null,
    cardHoldsPerDay: cardHoldsPerDay ?? null,
  }));
  return {
    customersTo: valueAfter(customersTo, before?.customersTo) ?? 'OWN',
    limits: valueAfter(limits === null ? null : sent, before?.limits) ?? [],
  };
}

function pictureOf({ png, svgPath, viewBox, color }: LogoInput) {
  return { png: png ?? null, svgPath: svgPath ?? null, viewBox: viewBox ?? null, color: color ?? null };
}

export function contentOf(program: ProgramRead): ProgramContent {
  const { name, letterhead, payer, errorResolution, logo, approvals, transfers, clients } = program;
  const { checkFunds, exactSearch, statementsWithoutActivity, operatorGroups, retentionYears, secrets } = program;
  return {
    name,
    letterhead,
    payer,
    errorResolution,
    logo,
    approvals,
    transfers,
    clients,
    checkFunds,
    exactSearch,
    statementsWithoutActivity,
    operatorGroups,
    retentionYears,
    secrets,
  };
}

/** A field whose value differs. */
export interface ChangedValue {
  /** Its path, such as `payer.taxId`. */
  readonly field: string;
  /** The values; null for none, and for those that are not shown. */
  readonly before: Json;
  readonly after: Json;
  /** True if the values are secret, or pictures. */
  readonly isHidden: boolean;
}

/** Fields whose values are not shown to people. */
const HIDDEN: ReadonlySet<string> = new Set(['payer.taxId', 'logo']);

/** The fields that differ; of a new record those that have a value. */
export function changedValues(before: ProgramContent | null, after: ProgramContent): ChangedValue[] {
  const [old, now] = [before ? fieldsOf(before) : new Map<string, Json>(), fieldsOf(after)];
  const valueIn = (fields: ReadonlyMap<string, Json>, field: string): Json => fields.get(field) ?? null;
  return [...new Set([...now.keys(), ...old.keys()])]
    .filter(field => canonicalJson(valueIn(old, field)) !== canonicalJson(valueIn(now, field)))
    .map(field => {
      const isHidden = HIDDEN.has(field);
      const shown = (fields: ReadonlyMap<string, Json>) => (isHidden ? null : valueIn(fields, field));
      return { field, before: shown(old), after: shown(now), isHidden };
    });
}

/** The paths of the fields that differ. */
export function changedFields(before: ProgramContent | null, after: ProgramContent): string[] {
  return changedValues(before, after).map(({ field }) => field);
}

/** Values by their paths; empty ones are left out. A logo is one value. */
function fieldsOf(content: ProgramContent): ReadonlyMap<string, Json> {
  const { name, letterhead, payer, errorResolution, logo, approvals, transfers, clients, checkFunds, secrets } =
    content;
  const whole = { ...payer, taxId: secrets.payerTaxId };
  const groups = { letterhead, payer: payer && whole, errorResolution, approvals, transfers };
  const fields: [string, unknown][] = Object.entries(groups).flatMap(([group, values]) =>
    Object.entries(values ?? {}).map(([field, value]): [string, unknown] => [`${group}.${field}`, value]),
  );
  const all: [string, unknown][] = [
    ['name', name],
    ...fields,
    ['logo', logo],
    ['clients', clients],
    ['checkFunds', checkFunds],
    ['exactSearch', content.exactSearch],
    [
      'statementsWithoutActivity',
      content.statementsWithoutActivity === 'WITH_BALANCE' ? null : content.statementsWithoutActivity,
    ],
    ['operatorGroups', content.operatorGroups],
    ['retentionYears', content.retentionYears],
  ];
  const isEmpty = (value: unknown): boolean =>
    value === null || value === false || (Array.isArray(value) && value.length === 0);
  return new Map(all.filter(([, value]) => !isEmpty(value)).map(([path, value]) => [path, value as Json]));
}
