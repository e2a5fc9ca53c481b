import type { ComponentChildren } from 'preact';
import { hrefOf } from '../../router.js';
import { Screen } from '../../ui/screen.js';
import { Tabs } from '../../ui/tabs.js';

interface HistoryScreenProps {
  readonly current: 'changes' | 'transactions';
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

const PARTS = [
  { part: 'changes', label: 'Changes', path: '/history' },
  { part: 'transactions', label: 'Transactions', path: '/history/transactions' },
] as const;

/** The frame of what happened in the whole program. */
export function HistoryScreen({ current, actions, children }: HistoryScreenProps) {
  const tabs = PARTS.map(({ part, label, path }) => ({ label, href: hrefOf(path), isCurrent: part === current }));
  return (
    <Screen
      title="History"
      tabTitle={current === 'changes' ? 'Changes' : 'Transactions'}
      about={
        current === 'changes'
          ? 'Who did what in the program, the newest first, with what was denied.'
          : 'The transactions of all accounts of the program, the newest first.'
      }
      actions={actions}
    >
      <Tabs label="History" tabs={tabs} />
      {children}
    </Screen>
  );
}
