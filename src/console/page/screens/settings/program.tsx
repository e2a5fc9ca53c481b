import { useState } from 'preact/hooks';
import { useMay } from '../../client/session.js';
import { ConsoleUpdateProgramDocument, type StatementsWithoutActivity } from '../../generated/graphql.js';
import { hrefOf } from '../../router.js';
import { Button } from '../../ui/button.js';
import { Card } from '../../ui/card.js';
import { CommandDialog } from '../../ui/command-dialog.js';
import { Facts } from '../../ui/facts.js';
import { Select, TextField } from '../../ui/field.js';
import { Time } from '../../ui/time.js';
import type { SettingsProps } from './settings-of.js';

const WITHOUT_ACTIVITY: readonly (readonly [StatementsWithoutActivity, string])[] = [
  ['WITH_BALANCE', 'Accounts with a balance, each month'],
  ['QUARTERLY', 'Accounts with a balance, each quarter'],
  ['ALWAYS', 'All open accounts, each month'],
];

/** What the program is called, and what it issues by itself. */
export function ProgramPart({ program }: SettingsProps) {
  const { programId, name, payer, checkFunds, statementsWithoutActivity, createdAt, updatedAt } = program;
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Card
        title="Program"
        actions={
          useMay('operations') && (
            <Button isSmall onClick={() => setOpen(true)}>
              Change the program
            </Button>
          )
        }
      >
        <Facts
          isLines
          facts={[
            ['Name', name],
            ['Program id', <code>{programId}</code>],
            ['Holds beyond what is available', checkFunds ? 'Refused' : 'Placed'],
            [
              'Months without activity',
              WITHOUT_ACTIVITY.find(([one]) => one === statementsWithoutActivity)?.[1] ?? statementsWithoutActivity,
            ],
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
      </Card>
      <Card title="Payer of interest">
        {payer ? (
          <Facts
            isLines
            facts={[
              ['Name', payer.name],
              ['Address', payer.addressLines.join(', ') || 'None'],
              ['Telephone', payer.telephone ?? 'None'],
              ['Tax id', payer.taxId ?? 'None'],
              ['State', payer.state ? `${payer.state}, ${payer.stateTaxId ?? 'no id'}` : 'None'],
            ]}
          />
        ) : (
          <p class="soft">
            None is on record, so no Forms 1099-INT are issued. <code>tillgate programs set</code> sets one.
          </p>
        )}
      </Card>
      {isOpen && <Change program={program} onClose={() => setOpen(false)} />}
    </>
  );
}

function Change({ program, onClose }: SettingsProps & { readonly onClose: () => void }) {
  const [name, setName] = useState(program.name);
  const [without, setWithout] = useState(program.statementsWithoutActivity);
  return (
    <CommandDialog
      title="Change the program"
      operation={ConsoleUpdateProgramDocument}
      variables={() => ({ input: { name, statementsWithoutActivity: without } })}
      verb="Save"
      done={() => 'The program was saved.'}
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
        </>
      )}
    </CommandDialog>
  );
}
