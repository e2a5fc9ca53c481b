import { useState } from 'preact/hooks';
import { type StatementsWithoutActivity } from '../../generated/graphql.js';
import { hrefOf } from '../../router.js';
import { Facts } from '../../ui/facts.js';
import { Select, TextField } from '../../ui/field.js';
import { Time } from '../../ui/time.js';
import { EditableCard, type ChangeProps } from './editable-card.js';
import { ProgramDialog } from './program-dialog.js';
import { Payer } from './payer.js';
import type { SettingsProps } from './settings-of.js';

const WITHOUT_ACTIVITY: readonly (readonly [StatementsWithoutActivity, string])[] = [
  ['WITH_BALANCE', 'Accounts with a balance, each month'],
  ['QUARTERLY', 'Accounts with a balance, each quarter'],
  ['ALWAYS', 'All open accounts, each month'],
];

const HOLDS = [
  ['REFUSED', 'Refused'],
  ['PLACED', 'Placed'],
] as const;
type Holds = (typeof HOLDS)[number][0];

const FOUND = [
  ['BEGINNINGS', 'By the beginning of a last name as well'],
  ['EXACT', 'By whole names alone'],
] as const;
type Found = (typeof FOUND)[number][0];

/** What the program is called, and what it issues by itself. */
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
            ['People are found', FOUND[exactSearch ? 1 : 0][1]],
            [
              'Months without activity',
              WITHOUT_ACTIVITY.find(([one]) => one === statementsWithoutActivity)?.[1] ?? statementsWithoutActivity,
            ],
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

function yearsOf(years: number): string {
  return years === 1 ? '1 year' : `${years} years`;
}

function Change({ program, onClose }: ChangeProps) {
  const [name, setName] = useState(program.name);
  const [without, setWithout] = useState(program.statementsWithoutActivity);
  const [holds, setHolds] = useState<Holds>(program.checkFunds ? 'REFUSED' : 'PLACED');
  const [found, setFound] = useState<Found>(program.exactSearch ? 'EXACT' : 'BEGINNINGS');
  const [years, setYears] = useState(String(program.retentionYears ?? ''));
  return (
    <ProgramDialog
      title="Change the program"
      input={() => ({
        name,
        statementsWithoutActivity: without,
        checkFunds: holds === 'REFUSED',
        exactSearch: found === 'EXACT',
        retentionYears: years.trim() === '' ? null : Number(years),
      })}
      saved="The program was saved."
      onClose={onClose}
    >
      {errorAt => (
        <>
          <TextField
            label="Name"
            hint="For the people who operate it. Customers see the letterhead."
            value={name}
            onValue={setName}
            error={errorAt('/input/name')}
            maxLength={100}
          />
          <Select
            label="Statements of months without activity"
            value={without}
            onValue={setWithout}
            options={WITHOUT_ACTIVITY}
          />
          <Select
            label="Holds beyond what is available"
            hint="Another person must approve a change of this."
            value={holds}
            onValue={setHolds}
            options={HOLDS}
          />
          <Select
            label="How people are found"
            hint="Another person must approve a change of this."
            value={found}
            onValue={setFound}
            options={FOUND}
          />
          <TextField
            label="Years until closed accounts are deleted"
            hint="Empty to keep them. Another person must approve a change of this."
            value={years}
            onValue={setYears}
            error={errorAt('/input/retentionYears')}
            inputMode="numeric"
            isOptional
          />
        </>
      )}
    </ProgramDialog>
  );
}
