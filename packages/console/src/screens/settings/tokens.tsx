import { useState } from 'preact/hooks';
import { usePages } from '../../client/pages.js';
import { useMay, useSession } from '../../client/session.js';
import {
  ConsoleRevokeTokensDocument,
  ConsoleTokenRevocationsDocument,
  type ConsoleTokenRevocationsQuery,
  type TokenRevocationKind,
} from '../../generated/graphql.js';
import { hrefOf } from '../../router.js';
import { Button } from '../../ui/button.js';
import { Card } from '../../ui/card.js';
import { CommandDialog } from '../../ui/command-dialog.js';
import { csvFields } from '../../ui/csv.js';
import { useForm } from '../../ui/form.js';
import { PagedList } from '../../ui/pages.js';
import { Empty } from '../../ui/states.js';
import { Table, type Column } from '../../ui/table.js';
import { Time } from '../../ui/time.js';
import { optionsOf } from '../../ui/words.js';

type Revocation = NonNullable<ConsoleTokenRevocationsQuery['tokenRevocations']>['nodes'][number];

interface KindWords {
  readonly label: string;
  readonly field: string;
  readonly hint: string;
  readonly effect: string;
}

const SINCE_THEN = 'It gets new tokens as long as its issuer lets it in: block it there first.';
const KINDS: Readonly<Record<TokenRevocationKind, KindWords>> = {
  CLIENT: {
    label: 'All of a client',
    field: 'Client id',
    hint: 'The client_id of the tokens, such as mobile-app.',
    effect: `Whatever this client sends with a token of until then is refused. ${SINCE_THEN}`,
  },
  SUBJECT: {
    label: 'All of a person or service',
    field: 'Subject',
    hint: 'The sub of the tokens. People who are signed in have it below their names.',
    effect: `Whatever comes with a token of until then is refused, and sessions at this console end. ${SINCE_THEN}`,
  },
  TOKEN: {
    label: 'A single token',
    field: 'Token id',
    hint: 'The jti of the token.',
    effect: 'This token alone is refused, whenever it was issued.',
  },
};

const KIND_LABELS = optionsOf(KINDS).map(([kind, { label }]) => [kind, label] as const);

const CSV = csvFields<Revocation>('revocationId', 'kind', 'value', 'latestIssuedAt', 'revokedAt');

const COLUMNS: readonly Column<Revocation>[] = [
  {
    label: 'Refused',
    narrow: 'lead',
    cell: ({ kind, value }) => (
      <>
        <code class="break">{value}</code>
        <div class="soft small">{KINDS[kind].label}</div>
      </>
    ),
  },
  {
    label: 'Issued until',
    cell: ({ latestIssuedAt }) => (latestIssuedAt == null ? 'Any time' : <Time at={latestIssuedAt} withSeconds />),
  },
  { label: 'Revoked', cell: ({ revokedAt }) => <Time at={revokedAt} withSeconds /> },
];

/** Access tokens that are refused before they expire. */
export function Tokens() {
  const pages = usePages(ConsoleTokenRevocationsDocument, {}, data => data.tokenRevocations);
  const mayRevoke = useMay('operations');
  const [isOpen, setOpen] = useState(false);
  return (
    <Card
      title="Revoked access tokens"
      isFlush
      actions={
        mayRevoke && (
          <Button isSmall kind="danger" onClick={() => setOpen(true)}>
            Revoke tokens
          </Button>
        )
      }
    >
      <PagedList
        of={pages}
        noun="revocation"
        csv={CSV}
        empty={<Empty title="None is revoked">Tokens are accepted until they expire.</Empty>}
      >
        {nodes => (
          <Table
            caption="Revoked access tokens"
            columns={COLUMNS}
            rows={nodes}
            keyOf={({ revocationId }) => revocationId}
          />
        )}
      </PagedList>
      <p class="hint card-note">
        A revocation cannot be taken back. It is kept for 400 days, longer than tokens live.{' '}
        <a href={hrefOf('/changes', { action: 'token.revoke' })}>Who revoked them</a>
      </p>
      {isOpen && <Revoke onClose={() => setOpen(false)} />}
    </Card>
  );
}

function Revoke({ onClose }: { readonly onClose: () => void }) {
  const { subject: own } = useSession();
  const form = useForm(fieldsOf('CLIENT'), { isStacked: true });
  const { kind, value } = form.values;
  const named = value.trim();
  return (
    <CommandDialog
      title="Revoke access tokens"
      operation={ConsoleRevokeTokensDocument}
      form={{ ...form, fields: fieldsOf(kind) }}
      variables={() => ({ input: { ...form.input(), ...(kind === 'TOKEN' && { before: null }) } })}
      verb="Revoke tokens"
      isDangerous
      done={() => `The tokens of ${named} are refused from now on.`}
      onClose={onClose}
      below={
        <div class="note bad">
          <p>
            {KINDS[kind].effect} {kind === 'SUBJECT' && named === own && 'This is you: you are signed out at once.'}
          </p>
          <p>
            In force within two seconds: requests get status 401, and open subscriptions end. It cannot be taken back.
          </p>
        </div>
      }
    />
  );
}

function fieldsOf(kind: TokenRevocationKind) {
  const { field, hint } = KINDS[kind];
  return {
    kind: { label: 'Which tokens', options: KIND_LABELS },
    value: { label: field, hint, maxLength: 255, autoFocus: true },
    before: {
      label: 'Issued until',
      hint: 'Later tokens stay valid. Empty means now.',
      isOptional: true,
      type: 'datetime-local',
      isShown: () => kind !== 'TOKEN',
      send: (text: string) => new Date(text).toISOString(),
    },
  } as const;
}
