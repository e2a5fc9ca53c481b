import { useState } from 'preact/hooks';
import { useQuery } from '../../client/query.js';
import { useMay, useSession } from '../../client/session.js';
import {
  ConsoleClockDocument,
  ConsoleCloseMonthDocument,
  ConsoleMoveClockDocument,
  type AchReturnCode,
} from '../../generated/graphql.js';
import { hrefOf, navigate, useAddress } from '../../router.js';
import { Button } from '../../ui/button.js';
import { Card } from '../../ui/card.js';
import { CommandDialog } from '../../ui/command-dialog.js';
import { Select, TextField } from '../../ui/field.js';
import { Screen } from '../../ui/screen.js';
import { Answer, Empty } from '../../ui/states.js';
import { Time } from '../../ui/time.js';
import { counted } from '../../ui/words.js';
import { PAYMENTS, PURCHASES, type Simulation, type SimulationField, type SimulationInput } from './simulations.js';

type Duration = 'P1D' | 'P7D' | 'P1M' | 'P1Y';

const DURATIONS: readonly (readonly [Duration, string])[] = [
  ['P1D', 'A day'],
  ['P7D', 'A week'],
  ['P1M', 'A month'],
  ['P1Y', 'A year'],
];

const RETURN_CODES: readonly (readonly [AchReturnCode, string])[] = [
  ['R01', 'R01, insufficient funds'],
  ['R02', 'R02, account closed'],
  ['R03', 'R03, no account'],
  ['R10', 'R10, not authorised'],
];

const LABELS: Readonly<Record<Exclude<SimulationField, 'code'>, string>> = {
  accountId: 'Account',
  fromAccountId: 'From account',
  amount: 'Amount',
  description: 'Description',
  holdId: 'Hold',
  transactionId: 'Transaction',
  transferId: 'Transfer',
};

/** Makes things happen, for those who try the gateway out. */
export function Sandbox() {
  const { sandbox } = useSession();
  const maySimulate = useMay('operations');
  const [simulation, setSimulation] = useState<Simulation>();
  if (!sandbox) {
    return (
      <Screen title="Sandbox">
        <div class="card">
          <Empty title="There is no sandbox here">Only gateways in development have one.</Empty>
        </div>
      </Screen>
    );
  }
  const buttons = (simulations: readonly Simulation[]) =>
    maySimulate ? (
      <div class="buttons">
        {simulations.map(one => (
          <Button key={one.label} onClick={() => setSimulation(one)}>
            {one.label}
          </Button>
        ))}
      </div>
    ) : (
      <p class="soft">Operators can make these happen.</p>
    );
  return (
    <Screen title="Sandbox" about="Makes things happen at this gateway in development. No money is moved.">
      <Clock maySimulate={maySimulate} />
      <Card title="Payments">{buttons(PAYMENTS)}</Card>
      <Card title="Purchases by card">{buttons(PURCHASES)}</Card>
      {simulation && <Simulate {...{ simulation, onClose: () => setSimulation(undefined) }} />}
    </Screen>
  );
}

function Clock({ maySimulate }: { readonly maySimulate: boolean }) {
  const query = useQuery(ConsoleClockDocument, {});
  const [asks, setAsks] = useState<'forward' | 'close'>();
  return (
    <Card
      title="Clock"
      actions={
        maySimulate && (
          <>
            <Button isSmall onClick={() => setAsks('close')}>
              Close the last month
            </Button>
            <Button isSmall kind="primary" onClick={() => setAsks('forward')}>
              Move the clock forward
            </Button>
          </>
        )
      }
    >
      <Answer of={query} lines={1}>
        {({ simulatedClock: clock }) => <p>{clock && <Time at={clock.now} withSeconds />}</p>}
      </Answer>
      {asks === 'forward' && <Forward onClose={() => setAsks(undefined)} />}
      {asks === 'close' && <CloseMonth onClose={() => setAsks(undefined)} />}
    </Card>
  );
}

function Forward({ onClose }: { readonly onClose: () => void }) {
  const [forward, setForward] = useState<Duration>('P1D');
  return (
    <CommandDialog
      title="Move the clock forward"
      operation={ConsoleMoveClockDocument}
      variables={() => ({ input: { forward } })}
      verb="Move the clock"
      done={({ simulateClock: move }) =>
        `The clock was moved. ${counted(move?.statementRuns.length ?? 0, 'statement run')} began on the way.`
      }
      onClose={onClose}
    >
      <Select
        label="By"
        hint="Holds end and months close on the way. The clock never goes back."
        value={forward}
        onValue={setForward}
        options={DURATIONS}
      />
    </CommandDialog>
  );
}

function CloseMonth({ onClose }: { readonly onClose: () => void }) {
  return (
    <CommandDialog
      title="Close the last month"
      operation={ConsoleCloseMonthDocument}
      variables={() => ({})}
      verb="Close the month"
      done={() => 'The statements of the month are being issued.'}
      onDone={({ simulateMonthClose: run }) => {
        onClose();
        if (run) navigate(hrefOf(`/statement-runs/${run.runId}`));
      }}
      onClose={onClose}
    >
      <p>The accounts of the program get their statements of the last month that is over by its clock.</p>
    </CommandDialog>
  );
}

interface SimulateProps {
  readonly simulation: Simulation;
  readonly onClose: () => void;
}

function Simulate({ simulation: { label, fields, operation }, onClose }: SimulateProps) {
  const { query } = useAddress();
  const [input, setInput] = useState<Partial<SimulationInput>>({
    accountId: query.get('account') ?? '',
    ...(fields.includes('code') && { code: 'R01' as const }),
  });
  const set = (changes: Partial<SimulationInput>): void => setInput(last => ({ ...last, ...changes }));
  // What is empty is left out: the gateway makes it up.
  const given = () => Object.fromEntries(Object.entries(input).filter(([, value]) => value.trim() !== ''));
  return (
    <CommandDialog
      title={label}
      operation={operation}
      variables={() => ({ input: given() as unknown as SimulationInput })}
      verb={label}
      done={() => `${label}: done.`}
      onClose={onClose}
    >
      {errorAt =>
        fields.map((field, index) =>
          field === 'code' ? (
            <Select
              key={field}
              label="Reason"
              value={input.code ?? 'R01'}
              onValue={code => set({ code })}
              options={RETURN_CODES}
            />
          ) : (
            <TextField
              key={field}
              label={LABELS[field]}
              isOptional={field === 'amount' || field === 'description'}
              hint={field === 'amount' ? 'Such as 125.00. Made up when empty.' : undefined}
              inputMode={field === 'amount' ? 'decimal' : undefined}
              value={input[field] ?? ''}
              onValue={value => set({ [field]: value })}
              error={errorAt(`/input/${field}`)}
              autoFocus={index === 0}
            />
          ),
        )
      }
    </CommandDialog>
  );
}
