import { hrefOf } from '../../router.js';
import { Card } from '../../ui/card.js';
import { Facts } from '../../ui/facts.js';
import { Money } from '../../ui/money.js';
import type { SettingsProps } from './settings-of.js';

/** Which requests wait for a second person. They say what operators may, so no operator changes them here. */
export function ApprovalRules({ program: { approvals: rules } }: SettingsProps) {
  const waits = (does: boolean | null): string => (does ? 'Waits' : 'Is done at once');
  return (
    <Card title="Approvals" actions={<a href={hrefOf('/approvals')}>What waits now</a>}>
      {rules ? (
        <Facts
          isLines
          facts={[
            ['Closing an account', waits(rules.closingAccounts)],
            ['Adding and removing owners', waits(rules.changingOwners)],
            ['Setting limits of accounts', waits(rules.changingTransferLimits)],
            ['Changing webhook endpoints', waits(rules.changingWebhookEndpoints)],
            [
              'Reversals',
              rules.reversalsAbove === null ? (
                'Are done at once'
              ) : (
                <>
                  Wait above <Money amount={rules.reversalsAbove} />
                </>
              ),
            ],
            [
              'Transfers',
              rules.transfersAbove?.length
                ? rules.transfersAbove.map(({ currency, amount }) => (
                    <div key={currency}>
                      Wait above <Money {...{ amount, currency }} />
                    </div>
                  ))
                : 'Are made at once',
            ],
            ['Clients whose postings never wait', rules.postingClients?.join(', ') || 'None'],
          ]}
        />
      ) : (
        <p>No request waits: one person is enough for all that operators may do.</p>
      )}
      <p class="hint settings-hint">
        Who may approve themselves must not loosen the rules for it, so they are changed by{' '}
        <code>tillgate programs set</code> or <code>tillgate apply</code>.
      </p>
    </Card>
  );
}
