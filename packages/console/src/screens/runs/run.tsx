import { useId, useState } from 'preact/hooks';
import { usePages } from '../../client/pages.js';
import { useQuery } from '../../client/query.js';
import { useReloading } from '../../client/reloading.js';
import { useMay } from '../../client/session.js';
import {
  ConsoleLeftOutDocument,
  ConsoleRerunDocument,
  ConsoleRunByIdDocument,
  ConsoleStopRunDocument,
  type ConsoleRunFragment,
} from '../../generated/graphql.js';
import { hrefOf, navigate } from '../../router.js';
import { Button } from '../../ui/button.js';
import { Card } from '../../ui/card.js';
import { CommandDialog } from '../../ui/command-dialog.js';
import { Copy } from '../../ui/copy.js';
import { csvFields } from '../../ui/csv.js';
import { Facts } from '../../ui/facts.js';
import { useForm } from '../../ui/form.js';
import { PagedList } from '../../ui/pages.js';
import { Screen } from '../../ui/screen.js';
import { Answer, Empty } from '../../ui/states.js';
import { Status } from '../../ui/status.js';
import { Table } from '../../ui/table.js';
import { Time } from '../../ui/time.js';
import { counted } from '../../ui/words.js';
import { LEFT_OUT_COLUMNS, type LeftOut } from './left-out-columns.js';
import { STARTED_BY, titleOf } from './run-words.js';

/** One run: how far it is, and which accounts got no document. */
export function RunScreen({ runId = '' }: Readonly<Record<string, string>>) {
  const query = useQuery(ConsoleRunByIdDocument, { runId });
  const run = query.data?.statementRun;
  const isRunning = run?.status === 'RUNNING';
  const [asks, setAsks] = useState<'rerun' | 'stop'>();
  const mayAct = useMay('operations');
  useReloading(isRunning, query.reload);
  return (
    <Screen
      title={run ? titleOf(run) : 'Statement run'}
      about={
        <span class="with-copy">
          {runId} <Copy text={runId} label="run id" />
        </span>
      }
      actions={
        run &&
        mayAct &&
        (isRunning ? (
          <Button kind="danger" onClick={() => setAsks('stop')}>
            Stop
          </Button>
        ) : (
          <Button onClick={() => setAsks('rerun')}>Run again</Button>
        ))
      }
    >
      <Answer of={query} lines={6}>
        {({ statementRun: found }) =>
          found ? (
            <>
              <Progress run={found} />
              <LeftOutAccounts key={`${runId} ${found.leftOutCount}`} run={found} noun="document" />
            </>
          ) : (
            <Empty title="No such run">The program has no run with this id.</Empty>
          )
        }
      </Answer>
      {run && asks === 'rerun' && <Rerun {...{ run, onClose: () => setAsks(undefined) }} />}
      {run && asks === 'stop' && <Stop {...{ run, onClose: () => setAsks(undefined) }} />}
    </Screen>
  );
}

function Progress({ run }: { readonly run: ConsoleRunFragment }) {
  const { documentType, status, startedBy, startedAt, finishedAt, stoppedAt, issueIncomplete, previousRunId } = run;
  const { accountCount, doneCount, issuedCount, correctedCount, notOverYetCount, leftOutCount } = run;
  const id = useId();
  return (
    <Card title="Progress">
      <div class="progress">
        <label for={id}>{status === 'RUNNING' ? 'Issuing documents' : 'Accounts that were looked at'}</label>
        <progress id={id} max={Math.max(1, accountCount)} value={accountCount === 0 ? 1 : doneCount} />
        <span role="status">
          {doneCount.toLocaleString('en-US')} of {counted(accountCount, 'account')}
        </span>
      </div>
      <Facts
        facts={[
          ['Status', <Status value={status} />],
          ['Started', <Time at={startedAt} withSeconds />],
          stoppedAt == null
            ? ['Finished', finishedAt == null ? 'Not yet' : <Time at={finishedAt} withSeconds />]
            : ['Stopped', <Time at={stoppedAt} withSeconds />],
          ['Started by', startedBy ? STARTED_BY[startedBy] : 'Not recorded'],
          ['Issued', issuedCount.toLocaleString('en-US')],
          documentType === 'TAX_1099' && ['Corrected', correctedCount.toLocaleString('en-US')],
          ['Not over yet', notOverYetCount.toLocaleString('en-US')],
          ['Left out', leftOutCount.toLocaleString('en-US')],
          issueIncomplete && ['Incomplete forms', 'Issued'],
          previousRunId != null && ['Again', <a href={hrefOf(`/statement-runs/${previousRunId}`)}>the run before</a>],
        ]}
      />
      {status === 'STOPPED' && (
        <p class="note warn">The run was stopped. What it had issued stays; run it again for what is missing.</p>
      )}
      {status === 'GIVEN_UP' && (
        <p class="note warn">Some accounts failed repeatedly. The log of the gateway says why; then run them again.</p>
      )}
    </Card>
  );
}

const CSV = csvFields<LeftOut>('accountId', 'reasons');

interface LeftOutProps {
  readonly run: Pick<ConsoleRunFragment, 'runId' | 'status'>;
  /** The kind of what the accounts did not get. */
  readonly noun: 'document' | 'form';
}

/** The accounts that got no document in a run, with the reasons. */
export function LeftOutAccounts({ run, noun }: LeftOutProps) {
  const title = `Accounts without a ${noun}`;
  const pages = usePages(ConsoleLeftOutDocument, { runId: run.runId }, data => data.statementRun?.leftOut);
  return (
    <Card title={title} isFlush>
      <PagedList
        of={pages}
        noun="account"
        csv={CSV}
        empty={
          <Empty title={run.status === 'RUNNING' ? 'None so far' : 'None was left out'}>
            Accounts that get no {noun} though one is due appear here, with the reasons.
          </Empty>
        }
      >
        {nodes => (
          <Table caption={title} columns={LEFT_OUT_COLUMNS} rows={nodes} keyOf={({ accountId }) => accountId} />
        )}
      </PagedList>
    </Card>
  );
}

function Rerun({ run, onClose }: { readonly run: ConsoleRunFragment; readonly onClose: () => void }) {
  const { runId, leftOutCount } = run;
  return (
    <CommandDialog
      title="Run again"
      operation={ConsoleRerunDocument}
      variables={() => ({ runId })}
      verb="Run again"
      done={({ rerunStatementRun: started }) =>
        `A new run has started for ${counted(started?.run.accountCount ?? 0, 'account')}.`
      }
      onDone={({ rerunStatementRun: started }) => {
        onClose();
        if (started) navigate(hrefOf(`/statement-runs/${started.run.runId}`));
      }}
      onClose={onClose}
    >
      <p>
        {titleOf(run)} are issued for the {counted(leftOutCount, 'account')} that this run left out, and for those that
        it did not reach. Other accounts get nothing.
      </p>
    </CommandDialog>
  );
}

function Stop({ run, onClose }: { readonly run: ConsoleRunFragment; readonly onClose: () => void }) {
  const { runId } = run;
  const form = useForm(
    { reason: { label: 'Reason', hint: 'For the records of the bank.', maxLength: 200, isOptional: true } },
    { isStacked: true },
  );
  return (
    <CommandDialog
      title="Stop the run"
      operation={ConsoleStopRunDocument}
      variables={() => ({ runId, ...form.input() })}
      form={form}
      verb="Stop"
      isDangerous
      done={() => 'The run was stopped.'}
      onClose={onClose}
    >
      <p>Documents that are issued stay. A batch of accounts that is being issued still ends.</p>
    </CommandDialog>
  );
}
