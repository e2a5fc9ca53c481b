import type { ProgramPatch, StatementsWithoutActivity } from '../../generated/graphql.js';
import { hrefOf } from '../../router.js';
import { Facts } from '../../ui/facts.js';
import { useForm, type FieldsOf } from '../../ui/form.js';
import { Time } from '../../ui/time.js';
import { optionsOf } from '../../ui/words.js';
import { EditableCard, type ChangeProps } from './editable-card.js';
import { ProgramDialog } from './program-dialog.js';
import { Payer } from './payer.js';
import type { SettingsProps } from './settings-of.js';

const WITHOUT_ACTIVITY = optionsOf<StatementsWithoutActivity>({
  WITH_BALANCE: 'Accounts with a balance, each month',
  QUARTERLY: 'Accounts with a balance, each quarter',
  ALWAYS: 'All open accounts, each month',
});

const HOLDS = optionsOf({ true: 'Refused', false: 'Placed' });
const FOUND = optionsOf({ false: 'By the beginning of a last name as well', true: 'By whole names alone' });

/** Shows the name of the program, and what it issues by itself. */
export function ProgramPart({ program }: SettingsProps) {
  const { programId, name, checkFunds, exactSearch, statementsWithoutActivity, retentionYears, createdAt, updatedAt } =
    program;
  return (
    <>
      <EditableCard title="Program" change="Change the program" Change={Change} program={program}>
        <Facts
          isLines
          facts={[
            ['Name', name],
            ['Program id', <code>{programId}</code>],
            ['Holds beyond what is available', checkFunds ? 'Refused' : 'Placed'],
            ['People are found', wordsOf(FOUND, String(exactSearch))],
            ['Months without activity', wordsOf(WITHOUT_ACTIVITY, statementsWithoutActivity)],
            ['Closed accounts', retentionYears === null ? 'Kept' : `Deleted ${yearsOf(retentionYears)} after closing`],
            ['On record since', <Time at={createdAt} />],
            [
              'Last change',
              <>
                <Time at={updatedAt} />.{' '}
                <a href={hrefOf('/changes', { action: 'program.update' })}>All changes of it</a>
              </>,
            ],
          ]}
        />
      </EditableCard>
      <Payer program={program} />
    </>
  );
}

function wordsOf(options: readonly (readonly [string, string])[], value: string): string {
  return options.find(([one]) => one === value)?.[1] ?? value;
}

function yearsOf(years: number): string {
  return years === 1 ? '1 year' : `${years} years`;
}

const FIELDS = {
  name: {
    label: 'Name',
    hint: 'The name for people who operate the program. Customers see the letterhead.',
    maxLength: 100,
  },
  statementsWithoutActivity: { label: 'Statements of months without activity', options: WITHOUT_ACTIVITY },
  checkFunds: {
    label: 'Holds beyond what is available',
    hint: 'Another person must approve a change of this.',
    options: HOLDS,
  },
  exactSearch: {
    label: 'How people are found',
    hint: 'Another person must approve a change of this.',
    options: FOUND,
  },
  retentionYears: {
    label: 'Years until closed accounts are deleted',
    hint: 'Empty to keep them. Another person must approve a change of this.',
    inputMode: 'numeric',
    isOptional: true,
    send: Number,
  },
} as const satisfies FieldsOf<ProgramPatch>;

function Change({ program, onClose }: ChangeProps) {
  const form = useForm(FIELDS, { from: program, at: '/input/patch', isStacked: true });
  const sent = () => {
    const { checkFunds, exactSearch, ...fields } = form.input();
    return { ...fields, checkFunds: checkFunds === 'true', exactSearch: exactSearch === 'true' };
  };
  return (
    <ProgramDialog
      title="Change the program"
      form={form}
      input={sent}
      saved="The program was saved."
      onClose={onClose}
    />
  );
}
