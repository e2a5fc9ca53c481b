import { useState } from 'preact/hooks';
import { Check, TextField } from '../../ui/field.js';
import { Repeated } from '../../ui/repeated.js';
import { Empty } from '../../ui/states.js';
import { Table, type Column } from '../../ui/table.js';
import { words } from '../../ui/words.js';
import { EditableCard, WaitsNote, type ChangeProps } from './editable-card.js';
import { ProgramDialog } from './program-dialog.js';
import type { Program, SettingsProps } from './settings-of.js';

type Group = Program['operatorGroups'][number];

const MAX_GROUPS = 100;

const ROLES = [
  ['viewer', 'Reads everything, masked'],
  ['operator', 'Changes it'],
  ['approver', 'Approves what waits'],
  ['pii', 'Shows personal data, for a reason'],
] as const;

const COLUMNS: readonly Column<Group>[] = [
  { label: 'Group', narrow: 'lead', cell: ({ name }) => name },
  { label: 'Roles', narrow: 'bare', cell: ({ roles }) => roles.map(words).join(', ') },
];

/** Shows what groups of the identity provider may do here. */
export function Groups({ program }: SettingsProps) {
  const { operatorGroups } = program;
  return (
    <EditableCard title="Groups of the provider" change="Change the groups" Change={Change} program={program} isFlush>
      {operatorGroups.length > 0 ? (
        <Table caption="Groups" columns={COLUMNS} rows={operatorGroups} keyOf={({ name }) => name} />
      ) : (
        <Empty title="No groups">People have the roles that the provider names: viewer, operator, approver, pii.</Empty>
      )}
    </EditableCard>
  );
}

function Change({ program, onClose }: ChangeProps) {
  const [groups, setGroups] = useState<readonly Group[]>(program.operatorGroups);
  const sent = () => groups.map(({ name, roles }) => ({ name: name.trim(), roles: [...roles] }));
  return (
    <ProgramDialog
      title="Change the groups of the provider"
      size="wide"
      input={() => ({ operatorGroups: sent() })}
      saved="The groups were saved."
      onClose={onClose}
    >
      {errorAt => (
        <>
          <WaitsNote />
          <Repeated
            legend="Groups, as the claim of roles names them. Roles that the provider names hold as well."
            noun="group"
            items={groups}
            onItems={setGroups}
            fresh={{ name: '', roles: ['viewer'] }}
            max={MAX_GROUPS}
          >
            {({ name, roles }, set, index) => {
              const pointer = `/input/patch/operatorGroups/${index}`;
              return (
                <>
                  <TextField
                    label="Name"
                    value={name}
                    onValue={value => set({ name: value })}
                    error={errorAt(`${pointer}/name`) ?? errorAt(pointer) ?? errorAt(`${pointer}/roles`)}
                    maxLength={256}
                    isWide
                  />
                  {ROLES.map(([role, label]) => (
                    <Check
                      key={role}
                      label={`${words(role)}: ${label}`}
                      isChecked={roles.includes(role)}
                      onChecked={isChecked =>
                        set({ roles: isChecked ? [...roles, role] : roles.filter(one => one !== role) })
                      }
                    />
                  ))}
                </>
              );
            }}
          </Repeated>
        </>
      )}
    </ProgramDialog>
  );
}
