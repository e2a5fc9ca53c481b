import { useState } from 'preact/hooks';
import { useQuery } from '../../client/query.js';
import { useMay, useSession } from '../../client/session.js';
import {
  ConsoleApprovalDocument,
  ConsoleApproveDocument,
  ConsoleRejectDocument,
  type ConsoleApprovalQuery,
} from '../../generated/graphql.js';
import { hrefOf } from '../../router.js';
import { useReason } from '../../ui/reason.js';
import { Button } from '../../ui/button.js';
import { Card } from '../../ui/card.js';
import { CommandDialog } from '../../ui/command-dialog.js';
import { Copy } from '../../ui/copy.js';
import { ChangedValue, Data } from '../../ui/data.js';
import { Facts } from '../../ui/facts.js';
import { actorText, personNamed, requestOf } from '../../ui/happened.js';
import { Screen } from '../../ui/screen.js';
import { fieldText } from '../../ui/sentences.js';
import { Answer, Empty } from '../../ui/states.js';
import { Status } from '../../ui/status.js';
import { Table } from '../../ui/table.js';
import { Time } from '../../ui/time.js';
import { useWho } from '../../ui/who.js';
import { capital } from '../../ui/words.js';
import { Secret, hasSecret } from './approved-secret.js';

type Approval = NonNullable<ConsoleApprovalQuery['approval']>;
type Verdict = 'approve' | 'reject';

/** One request that waits for a second person, or waited, and the decision about it. */
export function ApprovalScreen({ approvalId = '' }: Readonly<Record<string, string>>) {
  const query = useQuery(ConsoleApprovalDocument, { approvalId, decides: useMay('approvals') });
  const approval = query.data?.approval;
  const [asks, setAsks] = useState<Verdict>();
  return (
    <Screen
      title={approval ? requestOf(approval.command) : 'Approval'}
      about={
        <span class="with-copy">
          {approvalId} <Copy text={approvalId} label="approval id" />
        </span>
      }
      actions={
        approval &&
        (approval.status === 'WAITING' ? <Decisions {...{ approval, onAsk: setAsks }} /> : <Secret {...{ approval }} />)
      }
    >
      <Answer of={query} lines={8}>
        {({ approval: found }) =>
          found ? (
            <>
              <OwnNote approval={found} />
              <Request approval={found} />
              <Changes approval={found} />
              <Card title="What it would do">
                <Data data={found.facts} />
              </Card>
            </>
          ) : (
            <Empty title="No such approval">The program has no approval with this id.</Empty>
          )
        }
      </Answer>
      {approval && asks === 'approve' && <Approve {...{ approval, onClose: () => setAsks(undefined) }} />}
      {approval && asks === 'reject' && <Reject {...{ approval, onClose: () => setAsks(undefined) }} />}
    </Screen>
  );
}

function useIsOwn({ subject, actor }: Approval): boolean {
  return [subject, actor].includes(useSession().subject);
}

interface DecisionsProps {
  readonly approval: Approval;
  readonly onAsk: (verdict: Verdict) => void;
}

function Decisions({ approval, onAsk }: DecisionsProps) {
  const isOwn = useIsOwn(approval);
  const mayDecide = useMay('approvals');
  if (!mayDecide) return null;
  return (
    <>
      <Button onClick={() => onAsk('reject')}>{isOwn ? 'Take back' : 'Reject'}</Button>
      {!isOwn && (
        <Button kind="primary" onClick={() => onAsk('approve')}>
          Approve
        </Button>
      )}
    </>
  );
}

function OwnNote({ approval }: { readonly approval: Approval }) {
  const isOwn = useIsOwn(approval);
  const mayDecide = useMay('approvals');
  if (approval.status !== 'WAITING') return null;
  if (isOwn) {
    return (
      <p class="note info">
        You asked for this, so another person must approve it. {mayDecide && 'You can take the request back.'}
        {hasSecret(approval) && ' Keep this page open: when it is approved, the secret is shown here.'}
      </p>
    );
  }
  return mayDecide ? null : <p class="note info">Somebody with the role of an approver decides about this.</p>;
}

function Request({ approval }: { readonly approval: Approval }) {
  const who = useWho();
  const { status, accountId, object, actor, statedReason, requestId, requestedAt, expiresAt } = approval;
  const { decidedAt, decidedBy, reason, code } = approval;
  return (
    <Card title="Request">
      <Facts
        isLines
        facts={[
          ['Status', <Status value={status} />],
          [
            'Account',
            accountId == null ? (
              'About the program'
            ) : (
              <a href={hrefOf(`/accounts/${encodeURIComponent(accountId)}`)}>{accountId}</a>
            ),
          ],
          object != null && object !== `account/${accountId}` && ['Changes', object],
          ['Asked by', [actorText(approval, who), actor != null && `through ${actor}`].filter(Boolean).join(', ')],
          statedReason != null && ['Reason that the agent states', statedReason],
          ['Asked', <Time at={requestedAt} />],
          ['Can be approved until', <Time at={expiresAt} />],
          decidedAt != null && ['Decided', <Time at={decidedAt} />],
          decidedBy != null && ['Decided by', personNamed(decidedBy, who)],
          reason != null && ['Reason', reason],
          code != null && ['Refused with', <code>{code}</code>],
          ['Request id', <a href={hrefOf(`/requests/${encodeURIComponent(requestId)}`)}>{requestId}</a>],
        ]}
      />
    </Card>
  );
}

/** Field by field, for those who may approve. */
function Changes({ approval: { changes } }: { readonly approval: Approval }) {
  if (!changes || changes.length === 0) return null;
  return (
    <Card title="What would change" isFlush>
      <ChangesTable approval={{ changes }} />
    </Card>
  );
}

/** Nothing for those who may not approve. */
export function ChangesTable({ approval: { changes } }: { readonly approval: Pick<Approval, 'changes'> }) {
  if (!changes || changes.length === 0) return null;
  return (
    <Table
      caption="What would change"
      columns={[
        { label: 'Field', cell: ({ field }) => capital(fieldText(field)), narrow: 'lead' },
        { label: 'Before', cell: ({ field, before }) => <ChangedValue {...{ field }} text={before} /> },
        { label: 'After', cell: ({ field, after }) => <ChangedValue {...{ field }} text={after} /> },
      ]}
      rows={changes}
      keyOf={({ field }) => field}
    />
  );
}

interface VerdictProps {
  readonly approval: Approval;
  readonly onClose: () => void;
}

function Approve({ approval, onClose }: VerdictProps) {
  const who = useWho();
  const { approvalId, command } = approval;
  return (
    <CommandDialog
      title="Approve the request"
      operation={ConsoleApproveDocument}
      variables={() => ({ approvalId })}
      verb="Approve"
      done={({ approveApproval: decided }) =>
        decided?.approval.status === 'FAILED'
          ? `The request was approved, and refused with ${decided.approval.code ?? 'an error'}: it is no longer possible.`
          : `${requestOf(command)}: approved and carried out.`
      }
      onClose={onClose}
    >
      <p>
        <strong>{requestOf(command)}</strong>, as {who(approval)} asked. It is carried out at once, and cannot be taken
        back here.
      </p>
    </CommandDialog>
  );
}

function Reject({ approval, onClose }: VerdictProps) {
  const { approvalId, command } = approval;
  const isOwn = useIsOwn(approval);
  const form = useReason('Operators read it.');
  return (
    <CommandDialog
      title={isOwn ? 'Take the request back' : 'Reject the request'}
      operation={ConsoleRejectDocument}
      form={form}
      variables={() => ({ approvalId, ...form.input() })}
      verb={isOwn ? 'Take back' : 'Reject'}
      isDangerous
      done={() => `${requestOf(command)}: ${isOwn ? 'taken back' : 'rejected'}. It is not carried out.`}
      onClose={onClose}
    />
  );
}
