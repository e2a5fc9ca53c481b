import { useState } from 'preact/hooks';
import { useQuery } from '../../client/query.js';
import {
  ConsoleSetTransferLimitsDocument,
  ConsoleTransferLimitsDocument,
  type TransferLimitsPatch,
} from '../../generated/graphql.js';
import { CommandDialog } from '../../ui/command-dialog.js';
import { Dialog } from '../../ui/dialog.js';
import { TextField } from '../../ui/field.js';
import { Answer } from '../../ui/states.js';
import type { Account } from './account-of.js';
import type { Limits } from './transfer-limits.js';

const AMOUNTS = ['perTransfer', 'perDay', 'per30Days', 'cardHoldsPerDay'] as const;
const LABELS: Readonly<Record<keyof LimitValues, string>> = {
  perTransfer: 'Largest transfer',
  perDay: 'Transfers of a day together',
  per30Days: 'Transfers of 30 days together',
  cardHoldsPerDay: 'Holds of cards of a day together',
  transfersPerDay: 'Transfers of a day, how many',
};

type LimitValues = Readonly<Record<(typeof AMOUNTS)[number] | 'transfersPerDay', string>>;

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
  const [before] = useState(() => valuesOf(limits));
  const [values, setValues] = useState(before);
  const set = (name: keyof LimitValues) => (text: string) => setValues(last => ({ ...last, [name]: text }));
  return (
    <CommandDialog
      title={`Limits of ${accountId}`}
      verb="Set limits"
      operation={ConsoleSetTransferLimitsDocument}
      variables={() => ({ accountId, patch: patchOf(before, values) })}
      done={() => `The limits of ${accountId} were set.`}
      onClose={onClose}
    >
      {errorAt => (
        <>
          <p class="soft">They are in place of the limits of the program. Empty means that the program’s counts.</p>
          <div class="fields">
            {AMOUNTS.map(name => (
              <TextField
                key={name}
                label={`${LABELS[name]} in ${currency}`}
                isFilter
                inputMode="decimal"
                value={values[name]}
                onValue={set(name)}
                error={errorAt(`/patch/${name}`)}
                maxLength={24}
              />
            ))}
            <TextField
              label={LABELS.transfersPerDay}
              isFilter
              inputMode="numeric"
              pattern="\d*"
              value={values.transfersPerDay}
              onValue={set('transfersPerDay')}
              error={errorAt('/patch/transfersPerDay')}
              maxLength={5}
            />
          </div>
        </>
      )}
    </CommandDialog>
  );
}

function valuesOf({ perTransfer, perDay, per30Days, cardHoldsPerDay, transfersPerDay }: Limits): LimitValues {
  return {
    perTransfer: perTransfer ?? '',
    perDay: perDay ?? '',
    per30Days: per30Days ?? '',
    cardHoldsPerDay: cardHoldsPerDay ?? '',
    transfersPerDay: transfersPerDay == null ? '' : String(transfersPerDay),
  };
}

/** What was changed. An amount goes as it was typed, so that it stays exact. */
function patchOf(before: LimitValues, after: LimitValues): TransferLimitsPatch {
  const changed = AMOUNTS.filter(name => after[name] !== before[name]);
  const { transfersPerDay } = after;
  return {
    ...Object.fromEntries(changed.map(name => [name, after[name].trim() || null])),
    ...(transfersPerDay !== before.transfersPerDay && {
      transfersPerDay: transfersPerDay === '' ? null : Number(transfersPerDay),
    }),
  };
}
