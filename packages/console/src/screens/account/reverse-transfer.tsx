import { ConsoleReverseTransferDocument, type ConsoleTransferOfQuery } from '../../generated/graphql.js';
import { CommandDialog } from '../../ui/command-dialog.js';
import { grouped } from '../../ui/money.js';
import { useReason } from '../../ui/reason.js';

interface ReverseTransferProps {
  readonly transfer: NonNullable<ConsoleTransferOfQuery['transfer']>;
  readonly onClose: () => void;
}

/** Takes a transfer back, in both accounts. */
export function ReverseTransfer({ transfer, onClose }: ReverseTransferProps) {
  const { transferId, fromAccountId, toAccountId, amount, currency } = transfer;
  const form = useReason();
  return (
    <CommandDialog
      title="Reverse the transfer"
      verb="Reverse"
      isDangerous
      operation={ConsoleReverseTransferDocument}
      form={form}
      variables={() => ({ transferId, ...form.input() })}
      done={() => `${grouped(amount)} ${currency} went back from ${toAccountId} to ${fromAccountId}.`}
      onClose={onClose}
    >
      <p>
        {grouped(amount)} {currency} go back from {toAccountId} to {fromAccountId}: both accounts get a transaction in
        the other direction.
      </p>
    </CommandDialog>
  );
}
