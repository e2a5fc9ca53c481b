import { useState } from 'preact/hooks';
import { hrefOf } from '../../router.js';
import { Facts } from '../../ui/facts.js';
import { Check, TextField } from '../../ui/field.js';
import { Money } from '../../ui/money.js';
import { Repeated } from '../../ui/repeated.js';
import { EditableCard, WaitsNote, type ChangeProps } from './editable-card.js';
import { ProgramDialog } from './program-dialog.js';
import { MAX_CURRENCIES, type Program, type SettingsProps } from './settings-of.js';

type Threshold = NonNullable<NonNullable<Program['approvals']>['transfersAbove']>[number];
type Switch =
  'closingAccounts' | 'changingOwners' | 'changingTransferLimits' | 'erasingCustomers' | 'changingWebhookEndpoints';

const SWITCHES: readonly (readonly [Switch, string])[] = [
  ['closingAccounts', 'Closing an account'],
  ['changingOwners', 'Adding and removing owners'],
  ['changingTransferLimits', 'Setting limits of accounts'],
  ['erasingCustomers', 'Erasing personal data'],
  ['changingWebhookEndpoints', 'Changing webhook endpoints'],
];

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
            ...SWITCHES.map(([name, label]) => [label, rules[name] ? 'Waits' : 'Is done at once'] as const),
            ['Reversals', <Above amounts={rules.reversalsAbove === null ? [] : [{ amount: rules.reversalsAbove }]} />],
            ['Postings, each and those of a request together', <Above amounts={rules.postingsAbove ?? []} />],
            ['Transfers', <Above amounts={rules.transfersAbove ?? []} />],
            ['Clients whose postings never wait', rules.postingClients?.join(', ') || 'None'],
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

/** From which amounts on something waits; one without a currency is of all of them. */
function Above({ amounts }: { readonly amounts: readonly { readonly amount: string; readonly currency?: string }[] }) {
  if (amounts.length === 0) return <>Are made at once</>;
  return amounts.map(of => (
    <div key={of.currency}>
      Wait above <Money {...of} />
    </div>
  ));
}

function Change({ program: { approvals }, onClose }: ChangeProps) {
  const [switches, setSwitches] = useState(() => switchesOf(approvals));
  const [reversalsAbove, setReversals] = useState(approvals?.reversalsAbove ?? '');
  const [postingsAbove, setPostings] = useState<readonly Threshold[]>(approvals?.postingsAbove ?? []);
  const [transfersAbove, setTransfers] = useState<readonly Threshold[]>(approvals?.transfersAbove ?? []);
  const rules = () => ({
    ...switches,
    reversalsAbove: reversalsAbove.trim() || null,
    postingsAbove: trimmed(postingsAbove),
    transfersAbove: trimmed(transfersAbove),
  });
  return (
    <ProgramDialog
      title="Change the rules of approvals"
      input={() => ({ approvals: rules() })}
      saved="The rules were saved."
      onClose={onClose}
    >
      {errorAt => (
        <>
          <WaitsNote />
          <fieldset>
            <legend>Wait for another person</legend>
            {SWITCHES.map(([name, label]) => (
              <Check
                key={name}
                label={label}
                isChecked={switches[name]}
                onChecked={isChecked => setSwitches(last => ({ ...last, [name]: isChecked }))}
              />
            ))}
          </fieldset>
          <TextField
            label="Reversals above"
            hint="In the currency of the account; 0 means all, and empty none."
            isOptional
            inputMode="decimal"
            value={reversalsAbove}
            onValue={setReversals}
            error={errorAt('/input/approvals/reversalsAbove')}
            maxLength={18}
          />
          <Thresholds
            legend="Postings above, by currency, each and those of a request together. Those of other currencies, and of clients that are systems, never wait."
            noun="currency of postings"
            items={postingsAbove}
            onItems={setPostings}
            pointer="/input/approvals/postingsAbove"
            errorAt={errorAt}
          />
          <Thresholds
            legend="Transfers above, by currency. Those of other currencies never wait."
            noun="currency of transfers"
            items={transfersAbove}
            onItems={setTransfers}
            pointer="/input/approvals/transfersAbove"
            errorAt={errorAt}
          />
        </>
      )}
    </ProgramDialog>
  );
}

interface ThresholdsProps {
  readonly legend: string;
  readonly noun: string;
  readonly items: readonly Threshold[];
  readonly onItems: (items: readonly Threshold[]) => void;
  readonly pointer: string;
  readonly errorAt: (pointer: string) => string | undefined;
}

function Thresholds({ legend, noun, items, onItems, pointer, errorAt }: ThresholdsProps) {
  return (
    <Repeated
      legend={legend}
      noun={noun}
      items={items}
      onItems={onItems}
      fresh={{ currency: 'USD', amount: '' }}
      max={MAX_CURRENCIES}
    >
      {({ currency, amount }, set, index) => {
        const of = `${pointer}/${index}`;
        return (
          <>
            <TextField
              label="Currency"
              value={currency}
              onValue={value => set({ currency: value })}
              error={errorAt(`${of}/currency`) ?? errorAt(of)}
              maxLength={3}
            />
            <TextField
              label="Amount"
              inputMode="decimal"
              value={amount}
              onValue={value => set({ amount: value })}
              error={errorAt(`${of}/amount`)}
              maxLength={18}
            />
          </>
        );
      }}
    </Repeated>
  );
}

function trimmed(thresholds: readonly Threshold[]): Threshold[] {
  return thresholds.map(({ currency, amount }) => ({ currency: currency.trim().toUpperCase(), amount: amount.trim() }));
}

function switchesOf(rules: Program['approvals']): Readonly<Record<Switch, boolean>> {
  return Object.fromEntries(SWITCHES.map(([name]) => [name, rules?.[name] ?? false])) as Record<Switch, boolean>;
}
