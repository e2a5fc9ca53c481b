import { useQuery } from '../../client/query.js';
import {
  ConsoleRunPreviewDocument,
  ConsoleStartRunDocument,
  type ConsoleRunPreviewMutation,
  type DocumentType,
} from '../../generated/graphql.js';
import { hrefOf, navigate } from '../../router.js';
import { CommandDialog } from '../../ui/command-dialog.js';
import { Facts } from '../../ui/facts.js';
import { useForm } from '../../ui/form.js';
import { Answer } from '../../ui/states.js';
import { Table } from '../../ui/table.js';
import { counted } from '../../ui/words.js';
import { LEFT_OUT_COLUMNS } from './left-out-columns.js';
import { lastMonths, lastYears, monthOf, titleOf } from './run-words.js';

type Start = NonNullable<ConsoleRunPreviewMutation['startStatementRun']>;
type Preview = NonNullable<Start['preview']>;

const MONTHS_TO_CHOOSE = 12;
const YEARS_TO_CHOOSE = 5;

interface StartRunProps {
  readonly documentType: DocumentType;
  /** The one that is chosen at first. */
  readonly period: string;
  readonly onClose: () => void;
}

/** Tells which documents of a period are due and who would be left out, and then issues them. */
export function StartRun({ documentType, period: first, onClose }: StartRunProps) {
  const isForms = documentType === 'TAX_1099';
  const now = new Date();
  const last = isForms ? lastYears(now, YEARS_TO_CHOOSE) : lastMonths(now, MONTHS_TO_CHOOSE);
  const options = last.includes(first) ? last : [first, ...last];
  const form = useForm(
    {
      period: {
        label: isForms ? 'Tax year' : 'Month',
        options: options.map(one => [one, isForms ? one : monthOf(one)] as const),
      },
      ...(isForms && { issueIncomplete: { check: 'Issue forms that lack something as well' } }),
    },
    { from: { period: first } },
  );
  const { period, issueIncomplete = false } = form.values as { period: string; issueIncomplete?: boolean };
  const variables = { documentType, period, issueIncomplete };
  const preview = useQuery(ConsoleRunPreviewDocument, variables);
  return (
    <CommandDialog
      title={isForms ? 'Issue Forms 1099-INT' : 'Close a month'}
      size="wide"
      operation={ConsoleStartRunDocument}
      variables={() => variables}
      verb={isForms ? 'Issue the forms' : 'Issue the statements'}
      form={form}
      done={() => `${titleOf({ documentType, period })} are being issued.`}
      onDone={({ startStatementRun: started }) => {
        onClose();
        if (started?.run) navigate(hrefOf(`/statement-runs/${started.run.runId}`));
      }}
      onClose={onClose}
      below={
        <Answer of={preview} lines={5}>
          {({ startStatementRun: start }) =>
            start?.preview && <Due start={start} preview={start.preview} isForms={isForms} />
          }
        </Answer>
      }
    />
  );
}

interface DueProps {
  readonly start: Start;
  readonly preview: Preview;
  readonly isForms: boolean;
}

function Due({ start, preview, isForms }: DueProps) {
  const { accountCount, isComplete, waits, issuedCount, correctedCount, notOverYetCount, notDueCount } = preview;
  const { leftOutCount, leftOut } = preview;
  return (
    <div role="status">
      {!isComplete && (
        <p class="note">
          These are the first {counted(accountCount, 'account')} of {start.accountCount.toLocaleString('en-US')}.
        </p>
      )}
      <Facts
        facts={[
          ['To be issued', counted(issuedCount, isForms ? 'form' : 'statement')],
          isForms && ['To be corrected', counted(correctedCount, 'form')],
          ['Left out', counted(leftOutCount, 'account')],
          ['Due none', counted(notDueCount, 'account')],
          notOverYetCount > 0 && ['Not over yet', counted(notOverYetCount, 'account')],
        ]}
      />
      {waits && <p class="note warn">The program wants a second person to approve it before anything is issued.</p>}
      {leftOut.length > 0 && (
        <Table
          caption={
            leftOut.length < leftOutCount
              ? `The first ${leftOut.length} accounts that are left out`
              : 'Accounts that are left out'
          }
          columns={LEFT_OUT_COLUMNS}
          rows={leftOut}
          keyOf={({ accountId }) => accountId}
        />
      )}
    </div>
  );
}
