import { useRef, useState } from 'preact/hooks';
import { tellChanged } from '../../client/changes.js';
import { send } from '../../client/graphql.js';
import { asProblem } from '../../client/problem.js';
import { useQuery } from '../../client/query.js';
import {
  ConsoleApprovalDocument,
  ConsoleApproveDocument,
  type ConsoleApprovalsQuery,
} from '../../generated/graphql.js';
import { Button } from '../../ui/button.js';
import { Data } from '../../ui/data.js';
import { Dialog } from '../../ui/dialog.js';
import { requestOf } from '../../ui/happened.js';
import { Answer } from '../../ui/states.js';
import { Status } from '../../ui/status.js';
import { useWho } from '../../ui/who.js';
import { counted } from '../../ui/words.js';
import { ChangesTable } from './approval.js';

export type WaitingRow = NonNullable<ConsoleApprovalsQuery['approvals']>['nodes'][number];

interface ReviewProps {
  /** The requests of other people that wait. */
  readonly waiting: readonly WaitingRow[];
  readonly onClose: () => void;
}

/** Reads one request after the other, and then approves together those that were chosen. */
export function Review({ waiting, onClose }: ReviewProps) {
  // The list is asked again while they are approved, and then lacks them.
  const [rows] = useState(waiting);
  const [index, setIndex] = useState(0);
  const [chosen, setChosen] = useState<readonly WaitingRow[]>([]);
  const row = rows[index];
  const next = (): void => setIndex(index + 1);
  if (!row) return <Approving {...{ chosen, onClose }} />;
  return (
    <Reading
      key={row.approvalId}
      {...{ row, onClose }}
      place={`${index + 1} of ${rows.length}`}
      onSkip={next}
      onChoose={() => {
        setChosen([...chosen, row]);
        next();
      }}
    />
  );
}

interface ReadingProps {
  readonly row: WaitingRow;
  /** Such as `2 of 7`. */
  readonly place: string;
  readonly onSkip: () => void;
  readonly onChoose: () => void;
  readonly onClose: () => void;
}

function Reading({ row: { approvalId, command, accountId, ...by }, place, onSkip, onChoose, onClose }: ReadingProps) {
  const who = useWho();
  const query = useQuery(ConsoleApprovalDocument, { approvalId, decides: true });
  const approval = query.data?.approval;
  return (
    <Dialog
      title={`Request ${place}`}
      size="wide"
      onClose={onClose}
      foot={
        <>
          <Button onClick={onSkip}>Leave it waiting</Button>
          <Button kind="primary" disabled={!approval} onClick={onChoose}>
            Choose to approve
          </Button>
        </>
      }
    >
      <p>
        <strong>{requestOf(command)}</strong>, {accountId ?? 'program'}, asked by {who(by)}.
      </p>
      <Answer of={query} lines={5}>
        {({ approval: found }) =>
          found && (
            <>
              <ChangesTable approval={found} />
              <section>
                <h3>What it would do</h3>
                <Data data={found.facts} />
              </section>
            </>
          )
        }
      </Answer>
    </Dialog>
  );
}

/** The outcomes of requests, by their ids. */
type Outcomes = Readonly<Record<string, { readonly status: string; readonly reason?: string }>>;

function Approving({ chosen, onClose }: { readonly chosen: readonly WaitingRow[]; readonly onClose: () => void }) {
  const keys = useRef(new Map(chosen.map(({ approvalId }) => [approvalId, crypto.randomUUID()])));
  const [outcomes, setOutcomes] = useState<Outcomes>({});
  const [isBusy, setBusy] = useState(false);
  const open = chosen.filter(({ approvalId }) => !outcomes[approvalId]);
  const approveAll = async (): Promise<void> => {
    setBusy(true);
    for (const { approvalId } of open) {
      const outcome = await approve(approvalId, keys.current.get(approvalId));
      if (outcome) setOutcomes(last => ({ ...last, [approvalId]: outcome }));
    }
    setBusy(false);
    tellChanged();
  };
  return (
    <Dialog
      title={chosen.length > 0 ? `Approve ${counted(chosen.length, 'request')}` : 'Nothing was chosen'}
      {...{ isBusy, onClose }}
      foot={
        <>
          <Button onClick={onClose} disabled={isBusy}>
            {open.length > 0 ? 'Cancel' : 'Close'}
          </Button>
          {open.length > 0 && (
            <Button kind="primary" isBusy={isBusy} onClick={() => void approveAll()}>
              Approve {counted(open.length, 'request')}
            </Button>
          )}
        </>
      }
    >
      {open.length > 0 && <p>They are carried out at once, one after the other, and cannot be taken back here.</p>}
      <ul class="picks" aria-label="Chosen">
        {chosen.map(({ approvalId, command, accountId }) => {
          const outcome = outcomes[approvalId];
          return (
            <li key={approvalId}>
              <span>
                {requestOf(command)}
                <span class="soft small">{[accountId ?? 'Program', outcome?.reason].filter(Boolean).join(': ')}</span>
              </span>
              <Status value={outcome?.status ?? 'WAITING'} />
            </li>
          );
        })}
      </ul>
    </Dialog>
  );
}

/** Null where it is not known what became of it, so that it can be sent again with the same key. */
async function approve(approvalId: string, key: string | undefined): Promise<Outcomes[string] | null> {
  try {
    const { approveApproval } = await send(ConsoleApproveDocument, { approvalId }, { ...(key && { key }) });
    const { status = 'APPROVED', code } = approveApproval?.approval ?? {};
    return { status, ...(code != null && { reason: code }) };
  } catch (error) {
    const problem = asProblem(error);
    return problem.isUncertain ? null : { status: 'FAILED', reason: problem.message };
  }
}
