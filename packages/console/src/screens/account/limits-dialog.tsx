import { useState } from 'preact/hooks';
import { useQuery } from '../../client/query.js';
import { ConsoleSetTransferLimitsDocument, ConsoleTransferLimitsDocument } from '../../generated/graphql.js';
import { CommandDialog } from '../../ui/command-dialog.js';
import { Dialog } from '../../ui/dialog.js';
import { LIMIT_AMOUNTS, LimitFields, changedLimits, limitTextsOf, type LimitName } from '../../ui/limit-fields.js';
import { Answer } from '../../ui/states.js';
import type { Account } from './account-of.js';
import type { Limits } from './transfer-limits.js';

const LABELS: Readonly<Record<LimitName, string>> = {
  perTransfer: 'Largest transfer',
  perDay: 'Transfers of a day together',
  per30Days: 'Transfers of 30 days together',
  cardHoldsPerDay: 'Holds of cards of a day together',
  transfersPerDay: 'Transfers of a day, how many',
};

interface LimitsDialogProps {
  readonly account: Account;
  readonly onClose: () => void;
}

/** Sets limits of one account in place of those of its program. */
export function LimitsDialog({ account, onClose }: LimitsDialogProps) {
  const query = useQuery(ConsoleTransferLimitsDocument, { accountId: account.accountId });
  const limits = query.data?.account?.transferLimits;
  if (limits) return <LimitsForm {...{ account, limits, onClose }} />;
  return (
    <Dialog title={`Limits of ${account.accountId}`} onClose={onClose}>
      <Answer of={query}>{() => <p>The limits of this account cannot be read.</p>}</Answer>
    </Dialog>
  );
}

function LimitsForm({ account: { accountId, currency }, limits, onClose }: LimitsDialogProps & { limits: Limits }) {
  const [before] = useState(() => limitTextsOf(limits));
  const [values, setValues] = useState(before);
  return (
    <CommandDialog
      title={`Limits of ${accountId}`}
      verb="Set limits"
      operation={ConsoleSetTransferLimitsDocument}
      variables={() => ({ accountId, patch: changedLimits(before, values) })}
      done={() => `The limits of ${accountId} were set.`}
      onClose={onClose}
    >
      {errorAt => (
        <>
          <p class="soft">They are in place of the limits of the program. Empty means that the program’s counts.</p>
          <div class="fields">
            <LimitFields
              labels={labelsIn(currency)}
              texts={values}
              onText={(name, text) => setValues(last => ({ ...last, [name]: text }))}
              errorOf={name => errorAt(`/patch/${name}`)}
            />
          </div>
        </>
      )}
    </CommandDialog>
  );
}

/** Amounts are of the currency of the account. */
function labelsIn(currency: string): Readonly<Record<LimitName, string>> {
  return { ...LABELS, ...Object.fromEntries(LIMIT_AMOUNTS.map(name => [name, `${LABELS[name]} in ${currency}`])) };
}
