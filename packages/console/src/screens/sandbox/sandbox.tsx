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
import { useForm, type FieldsByName } from '../../ui/form.js';
import { Screen } from '../../ui/screen.js';
import { Answer, Empty } from '../../ui/states.js';
import { Time } from '../../ui/time.js';
import { AMOUNT } from '../../ui/usual-fields.js';
import { counted } from '../../ui/words.js';
import { PAYMENTS, PURCHASES, type Simulation, type SimulationField, type SimulationInput } from './simulations.js';

const DURATIONS = [
  ['P1D', 'A day'],
  ['P7D', 'A week'],
  ['P1M', 'A month'],
  ['P1Y', 'A year'],
] as const;

const RETURN_CODES: readonly (readonly [AchReturnCode, string])[] = [
  ['R01', 'R01, insufficient funds'],
  ['R02', 'R02, account closed'],
  ['R03', 'R03, no account'],
  ['R10', 'R10, not authorised'],
];

const FIELDS = {
  accountId: { label: 'Account' },
  fromAccountId: { label: 'From account' },
  amount: { ...AMOUNT, isOptional: true, hint: 'An amount such as 125.00. It is made up when empty.' },
  description: { label: 'Description', isOptional: true },
  holdId: { label: 'Hold' },
  transactionId: { label: 'Transaction' },
  transferId: { label: 'Transfer' },
  code: { label: 'Reason', options: RETURN_CODES },
} as const satisfies Readonly<Record<SimulationField, FieldsByName[string]>>;

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
  const form = useForm(
    {
      forward: {
        label: 'By',
        hint: 'Holds end and months close on the way. The clock never goes back.',
        options: DURATIONS,
      },
    },
    { isStacked: true },
  );
  return (
    <CommandDialog
      title="Move the clock forward"
      operation={ConsoleMoveClockDocument}
      form={form}
      variables={() => ({ input: form.input() })}
      verb="Move the clock"
      done={({ simulateClock }) =>
        `The clock was moved. ${counted(simulateClock?.move.statementRuns.length ?? 0, 'statement run')} began on the way.`
      }
      onClose={onClose}
    />
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
      onDone={({ simulateMonthClose }) => {
        onClose();
        if (simulateMonthClose) navigate(hrefOf(`/statement-runs/${simulateMonthClose.run.runId}`));
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
  const named = fields.map((name, index) => [name, { ...FIELDS[name], autoFocus: index === 0 }] as const);
  const form = useForm(Object.fromEntries(named), { from: { accountId: query.get('account') }, isStacked: true });
  // Empty fields are left out: the gateway makes them up.
  const given = () => Object.fromEntries(Object.entries(form.input()).filter(([, value]) => value !== null));
  return (
    <CommandDialog
      title={label}
      operation={operation}
      form={form}
      variables={() => ({ input: given() as unknown as SimulationInput })}
      verb={label}
      done={() => `${label}: done.`}
      onClose={onClose}
    />
  );
}
