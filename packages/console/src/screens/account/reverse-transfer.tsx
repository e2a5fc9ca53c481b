import { useState } from 'preact/hooks';
import { ConsoleReverseTransferDocument, type ConsoleTransferOfQuery } from '../../generated/graphql.js';
import { ReasonField } from '../../ui/reason-field.js';
import { CommandDialog } from '../../ui/command-dialog.js';
import { grouped } from '../../ui/money.js';

interface ReverseTransferProps {
  readonly transfer: NonNullable<ConsoleTransferOfQuery['transfer']>;
  readonly onClose: () => void;
}

/** Takes a transfer back, in both accounts. */
export function ReverseTransfer({ transfer, onClose }: ReverseTransferProps) {
  const { transferId, fromAccountId, toAccountId, amount, currency } = transfer;
  const [reason, setReason] = useState('');
  return (
    <CommandDialog
      title="Reverse the transfer"
      verb="Reverse"
      isDangerous
      operation={ConsoleReverseTransferDocument}
      variables={() => ({ transferId, reason })}
      done={() => `${grouped(amount)} ${currency} went back from ${toAccountId} to ${fromAccountId}.`}
      onClose={onClose}
    >
      {errorAt => (
        <>
          <p>
            {grouped(amount)} {currency} go back from {toAccountId} to {fromAccountId}: both accounts get a transaction
            in the other direction.
          </p>
          <ReasonField value={reason} onValue={setReason} error={errorAt('/reason')} />
        </>
      )}
    </CommandDialog>
  );
}
