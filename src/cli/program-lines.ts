import type { ProgramView, StatementsWithoutActivity } from '../bank/program/program.entity.js';
import type { ApprovalRules } from '../shared/approval.js';
import type { TransferRules } from '../shared/transfer-rules.js';

type ProgramRecordWithGaps = ProgramView & {
  readonly missing: { readonly close: readonly string[]; readonly 1099: readonly string[] };
};

const LABEL_WIDTH = 18;

const STATEMENTS: Readonly<Record<StatementsWithoutActivity, string>> = {
  WITH_BALANCE: 'statements where there is a balance',
  QUARTERLY: 'statements of quarters where there is a balance',
  ALWAYS: 'statements of every month',
};

/** A program for people, a line for each part of its record. */
export function linesOf(program: ProgramRecordWithGaps): string[] {
  const {
    programId,
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
    missing,
  } = program;
  const parts: Record<string, string> = {
    letterhead: letterhead ? joined([letterhead.name, ...letterhead.addressLines, letterhead.telephone]) : '',
    payer: payer ? joined([payer.name, ...payer.addressLines, payer.telephone, payer.taxId]) : '',
    'error resolution': errorResolution
      ? joined([errorResolution.telephone, errorResolution.email, ...errorResolution.addressLines])
      : '',
    logo: logo ? (logo.png === null ? 'outlines' : 'PNG') : '',
    approvals: approvals ? waitingOf(approvals).join(', ') : '',
    transfers: transfers ? transfersOf(transfers).join(', ') : '',
    clients: clients.join(', '),
    'checks funds of': checkFunds ? 'holds' : '',
    'finds people by': exactSearch ? 'whole names' : 'names and beginnings',
    'without activity': STATEMENTS[statementsWithoutActivity as StatementsWithoutActivity],
    groups: operatorGroups.map(group => `${group.name} (${group.roles.join(', ')})`).join(', '),
    retention: retentionYears === null ? '' : `${retentionYears} years after closing`,
    statements: readiness(missing.close),
    'forms 1099-INT': readiness(missing[1099]),
  };
  const lines = Object.entries(parts).map(([label, text]) => `  ${label.padEnd(LABEL_WIDTH)}${text || 'none'}`);
  return [`${programId}: ${name}`, ...lines];
}

/** Lists the changes that wait until another person approves them. */
function waitingOf({
  closingAccounts,
  reversalsAbove,
  postingsAbove,
  postingClients,
  transfersAbove,
  changingOwners,
  changingWebhookEndpoints,
  changingTransferLimits,
  agentProposals,
  erasingCustomers,
  documents,
}: ApprovalRules) {
  return [
    ...(closingAccounts ? ['closing accounts'] : []),
    ...reversalsAbove.map(({ currency, amount }) => `reversals above ${amount} ${currency}`),
    ...postingsAbove.map(({ currency, amount }) => `postings above ${amount} ${currency}`),
    ...(postingsAbove.length === 0 ? [] : postingClients.map(client => `but not postings of ${client}`)),
    ...transfersAbove.map(({ currency, amount }) => `transfers above ${amount} ${currency}`),
    ...(changingOwners ? ['changing owners'] : []),
    ...(changingWebhookEndpoints ? ['changing webhook endpoints'] : []),
    ...(changingTransferLimits ? ['changing limits of accounts'] : []),
    ...(agentProposals ? ['everything that agents propose'] : []),
    ...(erasingCustomers ? ['erasing customers'] : []),
    ...(documents ? ['issuing documents'] : []),
  ];
}

/** To which accounts customers move money, and the limits of each currency. */
function transfersOf({ customersTo, limits }: TransferRules): string[] {
  return [
    customersTo === 'OWN' ? 'of customers to their own accounts' : 'of customers to accounts of the program',
    ...limits.map(({ currency, perTransfer, perDay, per30Days, transfersPerDay, cardHoldsPerDay }) =>
      [
        currency,
        ...(perTransfer === null ? [] : [`at most ${perTransfer} each`]),
        ...(perDay === null ? [] : [`${perDay} a day`]),
        ...(per30Days === null ? [] : [`${per30Days} in 30 days`]),
        ...(transfersPerDay === null ? [] : [`${transfersPerDay} transfers a day`]),
        ...(cardHoldsPerDay === null ? [] : [`${cardHoldsPerDay} a day by cards`]),
      ].join(' '),
    ),
  ];
}

function readiness(missing: readonly string[]): string {
  return missing.length === 0 ? 'ready' : `lack ${missing.join(', ')}`;
}

function joined(texts: readonly (string | null)[]): string {
  return texts.filter(text => text !== null).join(' | ');
}
