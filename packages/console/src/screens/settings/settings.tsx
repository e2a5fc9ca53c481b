import type { ComponentType } from 'preact';
import { useQuery } from '../../client/query.js';
import { ConsoleSettingsDocument } from '../../generated/graphql.js';
import { hrefOf } from '../../router.js';
import { Screen } from '../../ui/screen.js';
import { Answer, Empty } from '../../ui/states.js';
import { Tabs } from '../../ui/tabs.js';
import { ApprovalRules } from './approval-rules.js';
import { Clients } from './clients.js';
import { LetterheadPart } from './letterhead.js';
import { Limits } from './limits.js';
import { People } from './people.js';
import { ProgramPart } from './program.js';
import { Tokens } from './tokens.js';
import type { SettingsProps } from './settings-of.js';

interface Part {
  readonly name: string;
  readonly label: string;
  readonly Shown: ComponentType<SettingsProps>;
}

const PARTS: readonly Part[] = [
  { name: '', label: 'Program', Shown: ProgramPart },
  { name: 'letterhead', label: 'Letterhead', Shown: LetterheadPart },
  { name: 'approvals', label: 'Approvals', Shown: ApprovalRules },
  { name: 'limits', label: 'Limits', Shown: Limits },
  { name: 'clients', label: 'Clients and keys', Shown: Clients },
  { name: 'people', label: 'People', Shown: People },
  { name: 'tokens', label: 'Tokens', Shown: Tokens },
];

/** Shows how the program is set up, and who works with it. */
export function Settings({ part = '' }: Readonly<Record<string, string>>) {
  const query = useQuery(ConsoleSettingsDocument, {});
  const current = PARTS.find(({ name }) => name === part);
  const tabs = [
    ...PARTS.map(({ name, label }) => ({
      label,
      href: hrefOf(name ? `/settings/${name}` : '/settings'),
      isCurrent: name === part,
    })),
    { label: 'Webhooks', href: hrefOf('/webhooks'), isCurrent: false },
  ];
  return (
    <Screen title="Settings" tabTitle={current?.name ? `${current.label}, settings` : 'Settings'}>
      <Tabs label="Settings" tabs={tabs} />
      <Answer of={query} lines={6}>
        {({ program }) => {
          if (!current) return <Empty title="Nothing is here">The settings have no such part.</Empty>;
          if (program) return <current.Shown program={program} />;
          return (
            <Empty title="No record of the program">
              Make one with <code>tillgate programs set</code>.
            </Empty>
          );
        }}
      </Answer>
    </Screen>
  );
}
