import { useQuery } from '../../client/query.js';
import { useMay } from '../../client/session.js';
import { ConsoleTransferLimitsDocument, type ConsoleTransferLimitsQuery } from '../../generated/graphql.js';
import { Facts } from '../../ui/facts.js';
import { Money } from '../../ui/money.js';
import { Answer } from '../../ui/states.js';
import type { Account } from './account-of.js';

export type Limits = NonNullable<NonNullable<ConsoleTransferLimitsQuery['account']>['transferLimits']>;
/** The limits that a list shows. */
type ShownLimits = Omit<Limits, 'cardHoldsPerDay' | 'remainingCardHoldsToday'>;

/** Shows what is left of the limits of the account. */
export function RemainingLimits({ accountId, currency }: Pick<Account, 'accountId' | 'currency'>) {
  const query = useQuery(ConsoleTransferLimitsDocument, useMay('transactions.read') ? { accountId } : null);
  return (
    <section>
      <h3>Limits</h3>
      <Answer of={query} lines={2}>
        {({ account }) => {
          const limits = account?.transferLimits;
          return limits && hasLimits(limits) ? (
            <LimitFacts {...{ limits, currency }} />
          ) : (
            <p class="soft">Nothing limits transfers from this account.</p>
          );
        }}
      </Answer>
    </section>
  );
}

export function hasLimits({ perTransfer, perDay, per30Days, transfersPerDay }: ShownLimits): boolean {
  return [perTransfer, perDay, per30Days, transfersPerDay].some(limit => limit != null);
}

interface LimitFactsProps {
  readonly limits: ShownLimits;
  readonly currency: string;
}

export function LimitFacts({ limits, currency }: LimitFactsProps) {
  const { perTransfer, perDay, remainingToday, per30Days, remaining30Days, transfersPerDay, todayTransferCount } =
    limits;
  const left = (amount: string, limit: string) => (
    <>
      <Money {...{ amount }} /> of <Money amount={limit} currency={currency} />
    </>
  );
  return (
    <Facts
      facts={[
        perTransfer != null && ['Largest transfer', <Money amount={perTransfer} currency={currency} />],
        perDay != null && ['Left today', left(remainingToday ?? perDay, perDay)],
        per30Days != null && ['Left in 30 days', left(remaining30Days ?? per30Days, per30Days)],
        transfersPerDay != null && [
          'Transfers left today',
          `${Math.max(0, transfersPerDay - todayTransferCount)} of ${transfersPerDay}`,
        ],
      ]}
    />
  );
}
