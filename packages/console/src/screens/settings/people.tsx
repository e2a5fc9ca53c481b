import { useState } from 'preact/hooks';
import { usePages } from '../../client/pages.js';
import { useMay } from '../../client/session.js';
import {
  ConsoleEndSessionDocument,
  ConsoleSessionsDocument,
  type ConsoleSessionsQuery,
} from '../../generated/graphql.js';
import { hrefOf } from '../../router.js';
import { Button } from '../../ui/button.js';
import { Card } from '../../ui/card.js';
import { CommandDialog } from '../../ui/command-dialog.js';
import { csvFields } from '../../ui/csv.js';
import { PagedList } from '../../ui/pages.js';
import { Empty } from '../../ui/states.js';
import { Table, type Column } from '../../ui/table.js';
import { Time } from '../../ui/time.js';
import { words } from '../../ui/words.js';
import { Groups } from './groups.js';
import type { SettingsProps } from './settings-of.js';

type Session = NonNullable<ConsoleSessionsQuery['operatorSessions']>['nodes'][number];

const CSV = csvFields<Session>('sessionId', 'subject', 'name', 'roles', 'createdAt', 'lastSeenAt', 'endsAt');

const COLUMNS: readonly Column<Session>[] = [
  {
    label: 'Person',
    narrow: 'lead',
    cell: ({ name, subject, isOwn }) => (
      <>
        <strong>{name}</strong> {isOwn && <span class="soft">(this session)</span>}
        <div class="soft small">{subject}</div>
      </>
    ),
  },
  { label: 'Roles', narrow: 'bare', cell: ({ roles }) => roles.map(words).join(', ') },
  { label: 'Signed in', cell: ({ createdAt }) => <Time at={createdAt} /> },
  { label: 'Last used', cell: ({ lastSeenAt }) => <Time at={lastSeenAt} /> },
  {
    label: 'Changes',
    narrow: 'bare',
    cell: ({ subject }) => (
      <a class="nowrap" href={hrefOf('/changes', { by: subject })}>
        What they changed
      </a>
    ),
  },
];

/** Shows who is signed in, and what groups of people may do. */
export function People({ program }: SettingsProps) {
  return (
    <>
      <SignedIn />
      <Groups program={program} />
    </>
  );
}

function SignedIn() {
  const pages = usePages(ConsoleSessionsDocument, {}, data => data.operatorSessions);
  const mayEnd = useMay('operations');
  const [ending, setEnding] = useState<Session>();
  const actions: Column<Session> = {
    label: 'Actions',
    isLabelHidden: true,
    isEnd: true,
    narrow: 'side',
    cell: session =>
      mayEnd && (
        <Button isSmall aria-label={`End the session of ${session.name}`} onClick={() => setEnding(session)}>
          End
        </Button>
      ),
  };
  return (
    <Card title="Signed in" isFlush>
      <PagedList of={pages} noun="session" csv={CSV} empty={<Empty title="Nobody is signed in" />}>
        {nodes => (
          <Table caption="Sessions" columns={[...COLUMNS, actions]} rows={nodes} keyOf={({ sessionId }) => sessionId} />
        )}
      </PagedList>
      <p class="hint card-note">
        People and their roles come from the identity provider, which is asked again while they are signed in. A session
        ends after 30 minutes without use, and after 12 hours.
      </p>
      {ending && <End session={ending} onClose={() => setEnding(undefined)} />}
    </Card>
  );
}

function End({ session, onClose }: { readonly session: Session; readonly onClose: () => void }) {
  const { sessionId, name, isOwn } = session;
  return (
    <CommandDialog
      title={`End the session of ${name}`}
      operation={ConsoleEndSessionDocument}
      variables={() => ({ sessionId })}
      verb="End the session"
      isDangerous
      done={() => `The session of ${name} has ended.`}
      onClose={onClose}
    >
      <p>
        {isOwn
          ? 'You are signed out at once.'
          : `The next thing that ${name} does is refused, and what they look at goes.`}{' '}
        Whom the identity provider lets in can sign in again: block the person there first.
      </p>
    </CommandDialog>
  );
}
