import type { ProgramPatch } from '../../generated/graphql.js';
import { hrefOf } from '../../router.js';
import { Facts } from '../../ui/facts.js';
import { useForm, type FieldsOf } from '../../ui/form.js';
import { Money } from '../../ui/money.js';
import { AMOUNT, CURRENCY } from '../../ui/usual-fields.js';
import { optionsOf } from '../../ui/words.js';
import { EditableCard, WaitsNote, type ChangeProps } from './editable-card.js';
import { ProgramDialog } from './program-dialog.js';
import { MAX_CURRENCIES, type SettingsProps } from './settings-of.js';

/** The number of characters of an amount above which something waits. */
const AMOUNT_CHARACTERS = 18;

const SWITCHES = {
  closingAccounts: 'Closing an account',
  changingOwners: 'Adding and removing owners',
  changingTransferLimits: 'Setting limits of accounts',
  erasingCustomers: 'Erasing personal data',
  documents: 'Issuing statements and tax forms',
  changingWebhookEndpoints: 'Changing webhook endpoints',
} as const;

const AGENTS = 'Agents propose changes, of which each waits';

/** Which requests wait for a second person. */
export function ApprovalRules({ program }: SettingsProps) {
  const { approvals: rules } = program;
  return (
    <EditableCard
      title="Approvals"
      change="Change the rules"
      Change={Change}
      program={program}
      removal={{
        field: 'approvals',
        what: 'the rules of approvals',
        consequence: 'One person is enough for everything then. It waits until another person approves it.',
      }}
    >
      {rules ? (
        <Facts
          isLines
          facts={[
            ...optionsOf(SWITCHES).map(([name, label]) => [label, rules[name] ? 'Waits' : 'Is done at once'] as const),
            ['Reversals', <Above amounts={rules.reversalsAbove} />],
            ['Postings, each and those of a request together', <Above amounts={rules.postingsAbove} />],
            ['Transfers', <Above amounts={rules.transfersAbove} />],
            ['Agents', rules.agentProposals ? 'Propose changes, of which each waits' : 'Only read'],
            ['Clients whose postings never wait', rules.postingClients.join(', ') || 'None'],
          ]}
        />
      ) : (
        <p>No request waits: one person is enough for all that operators may do.</p>
      )}
      <p class="hint settings-hint">
        A change of these rules, of clients, groups, limits and the payer always waits.{' '}
        <a href={hrefOf('/approvals')}>What waits now</a>
      </p>
    </EditableCard>
  );
}

/** The amounts by currency above which something waits. */
function Above({ amounts }: { readonly amounts: readonly { readonly amount: string; readonly currency: string }[] }) {
  if (amounts.length === 0) return <>Are made at once</>;
  return amounts.map(of => (
    <div key={of.currency}>
      Wait above <Money {...of} />
    </div>
  ));
}

const THRESHOLDS = {
  fields: { currency: CURRENCY, amount: { ...AMOUNT, maxLength: AMOUNT_CHARACTERS } },
  fresh: { currency: 'USD' },
  max: MAX_CURRENCIES,
} as const;

const FIELDS = {
  closingAccounts: { legend: 'Wait for another person', check: SWITCHES.closingAccounts },
  changingOwners: { check: SWITCHES.changingOwners },
  changingTransferLimits: { check: SWITCHES.changingTransferLimits },
  erasingCustomers: { check: SWITCHES.erasingCustomers },
  documents: { check: SWITCHES.documents },
  changingWebhookEndpoints: { check: SWITCHES.changingWebhookEndpoints },
  agentProposals: { check: AGENTS },
  reversalsAbove: {
    legend: 'Reversals above, by currency. Those of other currencies never wait.',
    repeated: 'currency of reversals',
    ...THRESHOLDS,
  },
  postingsAbove: {
    legend:
      'Postings above, by currency, each and those of a request together. Those of other currencies, and of clients that are systems, never wait.',
    repeated: 'currency of postings',
    ...THRESHOLDS,
  },
  transfersAbove: {
    legend: 'Transfers above, by currency. Those of other currencies never wait.',
    repeated: 'currency of transfers',
    ...THRESHOLDS,
  },
} as const satisfies FieldsOf<NonNullable<ProgramPatch['approvals']>>;

function Change({ program, onClose }: ChangeProps) {
  const form = useForm(FIELDS, { from: program.approvals, at: '/input/patch/approvals', isStacked: true });
  return (
    <ProgramDialog
      title="Change the rules of approvals"
      form={form}
      input={() => ({ approvals: form.input() })}
      saved="The rules were saved."
      onClose={onClose}
    >
      <WaitsNote />
    </ProgramDialog>
  );
}
