import type { Operation } from '../../client/graphql.js';
import {
  ConsoleActivateCardDocument,
  ConsoleCloseCardDocument,
  ConsoleFreezeCardDocument,
  ConsoleReportCardDocument,
  ConsoleUnfreezeCardDocument,
  type CardLoss,
  type ConsoleCardFragment,
} from '../../generated/graphql.js';
import { CommandDialog } from '../../ui/command-dialog.js';
import { useForm } from '../../ui/form.js';
import { optionsOf } from '../../ui/words.js';

export type CardAction = 'freeze' | 'unfreeze' | 'activate' | 'report' | 'close';

interface CardDialogProps {
  readonly action: CardAction;
  readonly card: ConsoleCardFragment;
  readonly onClose: () => void;
}

const LOSSES = optionsOf<CardLoss>({
  LOST: 'Lost: the holder does not know where it is',
  STOLEN: 'Stolen: another person took it',
});

interface CardActionTexts {
  readonly operation: Operation<unknown, { readonly accountId: string; readonly cardId: string }>;
  readonly verb: string;
  readonly text: string;
  readonly done: string;
}

const ACTION_TEXTS: Readonly<Record<Exclude<CardAction, 'report'>, CardActionTexts>> = {
  freeze: {
    operation: ConsoleFreezeCardDocument,
    verb: 'Freeze',
    text: 'The card cannot be used until it is unfrozen.',
    done: 'is frozen',
  },
  unfreeze: {
    operation: ConsoleUnfreezeCardDocument,
    verb: 'Unfreeze',
    text: 'The card can be used again.',
    done: 'is active again',
  },
  activate: {
    operation: ConsoleActivateCardDocument,
    verb: 'Activate',
    text: 'The card can be used for payments from now on.',
    done: 'is active',
  },
  close: {
    operation: ConsoleCloseCardDocument,
    verb: 'Close',
    text: 'The card cannot be used again. This is final.',
    done: 'is closed',
  },
};

/** Changes the status of a card. */
export function CardDialog({ action, card, onClose }: CardDialogProps) {
  const { accountId, cardId, last4 } = card;
  if (action === 'report') return <Report card={card} onClose={onClose} />;
  const { operation, verb, text, done } = ACTION_TEXTS[action];
  return (
    <CommandDialog
      title={`${verb} card •••• ${last4}`}
      verb={`${verb} card`}
      isDangerous={action === 'close'}
      {...{ operation, onClose }}
      variables={() => ({ accountId, cardId })}
      done={() => `Card •••• ${last4} ${done}.`}
    >
      <p>{text}</p>
    </CommandDialog>
  );
}

function Report({ card: { accountId, cardId, last4 }, onClose }: Omit<CardDialogProps, 'action'>) {
  const form = useForm({ loss: { label: 'What happened', options: LOSSES } }, { isStacked: true });
  return (
    <CommandDialog
      title={`Report card •••• ${last4}`}
      verb="Report card"
      isDangerous
      operation={ConsoleReportCardDocument}
      form={form}
      variables={() => ({ accountId, cardId, ...form.input() })}
      done={() => `Card •••• ${last4} is reported ${form.values.loss.toLowerCase()}.`}
      onClose={onClose}
    >
      <p>The card cannot be used again. This is final.</p>
    </CommandDialog>
  );
}
