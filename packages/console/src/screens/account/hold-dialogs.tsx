import { useState } from 'preact/hooks';
import { useQuery } from '../../client/query.js';
import { useMay } from '../../client/session.js';
import {
  ConsoleCaptureHoldDocument,
  ConsoleCardsDocument,
  ConsolePlaceHoldDocument,
  ConsoleReleaseHoldDocument,
  type ConsoleHoldFragment,
} from '../../generated/graphql.js';
import { CommandDialog } from '../../ui/command-dialog.js';
import { useForm } from '../../ui/form.js';
import { grouped } from '../../ui/money.js';
import { amountIn } from '../../ui/usual-fields.js';
import type { Account } from './account-of.js';

/** The preset number of days of a new hold. The API takes at most 365. */
const USUAL_DAYS = 7;
const DAY_MS = 24 * 3600 * 1000;

interface PlaceHoldProps {
  readonly account: Account;
  readonly onClose: () => void;
}

export function PlaceHold({ account: { accountId, currency, balances }, onClose }: PlaceHoldProps) {
  const maySeeCards = useMay('cards.read');
  const cards = useQuery(ConsoleCardsDocument, maySeeCards ? { accountId } : null);
  const usable = cards.data?.account?.cards?.filter(({ status }) => status === 'ACTIVE') ?? [];
  const [{ holdId, openedAt }] = useState(() => ({ holdId: `console-${crypto.randomUUID()}`, openedAt: Date.now() }));
  const form = useForm(
    {
      amount: {
        ...amountIn(currency),
        hint: `${grouped(balances.available)} ${currency} are available.`,
        autoFocus: true,
      },
      expiresAt: {
        label: 'Days until it ends',
        inputMode: 'numeric',
        hint: 'From 1 to 365. What is not captured by then is released.',
        maxLength: 3,
        pattern: '[1-9]|[1-9]\\d|[12]\\d\\d|3[0-5]\\d|36[0-5]',
        send: days => new Date(openedAt + Number(days) * DAY_MS).toISOString(),
      },
      description: { label: 'Description', isWide: true, maxLength: 500 },
      cardId: {
        label: 'Card',
        isOptional: true,
        options: [['', 'None'], ...usable.map(card => [card.cardId, `•••• ${card.last4}`] as const)],
      },
      reference: { label: 'Reference', isOptional: true, maxLength: 64 },
    },
    { from: { expiresAt: USUAL_DAYS }, at: '/input/hold' },
  );
  return (
    <CommandDialog
      title={`Place a hold on ${accountId}`}
      verb="Place hold"
      size="wide"
      operation={ConsolePlaceHoldDocument}
      form={form}
      variables={() => ({ accountId, input: { holdId, ...form.input() } })}
      done={({ placeHold }) =>
        `${grouped(placeHold?.hold.amount ?? form.values.amount)} ${currency} of ${accountId} are held.`
      }
      onClose={onClose}
    />
  );
}

interface HoldProps {
  readonly hold: ConsoleHoldFragment;
  readonly onClose: () => void;
}

export function CaptureHold({ hold: { accountId, holdId, heldAmount, currency, description }, onClose }: HoldProps) {
  const form = useForm(
    {
      amount: { ...amountIn(currency), autoFocus: true },
      keepRest: { check: 'Keep what then remains, so that it can be captured later' },
    },
    { from: { amount: heldAmount }, isStacked: true },
  );
  return (
    <CommandDialog
      title="Capture the hold"
      verb="Capture"
      operation={ConsoleCaptureHoldDocument}
      form={form}
      variables={() => ({ accountId, holdId, ...form.input() })}
      done={() => `${grouped(form.values.amount.trim())} ${currency} were captured and posted.`}
      onClose={onClose}
    >
      <p>
        {description}: a debit is posted to {accountId}. {grouped(heldAmount)} {currency} are held.
      </p>
    </CommandDialog>
  );
}

export function ReleaseHold({ hold: { accountId, holdId, heldAmount, currency, description }, onClose }: HoldProps) {
  return (
    <CommandDialog
      title="Release the hold"
      verb="Release"
      operation={ConsoleReleaseHoldDocument}
      variables={() => ({ accountId, holdId })}
      done={() => `${grouped(heldAmount)} ${currency} of ${accountId} are available again.`}
      onClose={onClose}
    >
      <p>
        {description}: {grouped(heldAmount)} {currency} become available again, and the hold ends.
      </p>
    </CommandDialog>
  );
}
