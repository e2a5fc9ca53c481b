import { useQuery } from '../../client/query.js';
import { ConsoleSetTransferLimitsDocument, ConsoleTransferLimitsDocument } from '../../generated/graphql.js';
import { CommandDialog } from '../../ui/command-dialog.js';
import { Dialog } from '../../ui/dialog.js';
import { useForm } from '../../ui/form.js';
import { limitFields } from '../../ui/limit-fields.js';
import { Answer } from '../../ui/states.js';
import type { Account } from './account-of.js';
import type { Limits } from './transfer-limits.js';

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
  const fields = limitFields({
    perTransfer: `Largest transfer in ${currency}`,
    perDay: `Transfers of a day together in ${currency}`,
    per30Days: `Transfers of 30 days together in ${currency}`,
    cardHoldsPerDay: `Holds of cards of a day together in ${currency}`,
    transfersPerDay: 'Transfers of a day, how many',
  });
  const form = useForm(fields, { from: limits, at: '/input/patch' });
  return (
    <CommandDialog
      title={`Limits of ${accountId}`}
      verb="Set limits"
      operation={ConsoleSetTransferLimitsDocument}
      form={form}
      variables={() => ({ accountId, patch: form.changes() })}
      done={() => `The limits of ${accountId} were set.`}
      onClose={onClose}
    >
      <p class="soft">They are in place of the limits of the program. Empty means that the program’s counts.</p>
    </CommandDialog>
  );
}
