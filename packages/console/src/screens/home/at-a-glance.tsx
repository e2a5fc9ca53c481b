import { useQuery } from '../../client/query.js';
import { useReloading } from '../../client/reloading.js';
import {
  ConsoleOverviewDocument,
  type ConsoleFailedWebhooksQuery,
  type ConsoleOverviewQuery,
} from '../../generated/graphql.js';
import { hrefOf } from '../../router.js';
import { Card } from '../../ui/card.js';
import { Money } from '../../ui/money.js';
import { Answer } from '../../ui/states.js';
import { Time } from '../../ui/time.js';
import { counted } from '../../ui/words.js';
import { NOT_OFFERED, failedDeliveries } from './attention.js';
import { FigureList, type Figure } from './figure-list.js';
import { Volume } from './volume.js';

type Overview = NonNullable<ConsoleOverviewQuery['programOverview']>;

/** Figures that are older are told to be so. */
const LATE_MS = 60_000;

/** Shows the program at a glance: how much there is, what moves, and what waits or failed. */
export function AtAGlance({ webhooks }: { readonly webhooks: ConsoleFailedWebhooksQuery | undefined }) {
  const query = useQuery(ConsoleOverviewDocument, {});
  useReloading(Boolean(query.data?.programOverview && isLate(query.data.programOverview)), query.reload);
  if (query.problem?.code === NOT_OFFERED) return null;
  return (
    <Answer of={query} lines={8}>
      {({ programOverview }) =>
        programOverview && (
          <>
            <Card title="At a glance" isFlush>
              <FigureList figures={figuresOf(programOverview, webhooks)} />
              {isLate(programOverview) && <LateNote asOf={programOverview.asOf} />}
            </Card>
            <Volume currencies={programOverview.currencies} />
          </>
        )
      }
    </Answer>
  );
}

function isLate({ asOf }: Pick<Overview, 'asOf'>): boolean {
  return asOf == null || Date.now() - Date.parse(asOf) > LATE_MS;
}

/** Says up to when events are counted, while they are not all. */
function LateNote({ asOf }: Pick<Overview, 'asOf'>) {
  return (
    <p class="card-note soft small">
      {asOf ? (
        <>
          What happened after <Time at={asOf} /> is still being counted.
        </>
      ) : (
        'What happened is still being counted.'
      )}
    </p>
  );
}

function figuresOf(overview: Overview, webhooks: ConsoleFailedWebhooksQuery | undefined): Figure[] {
  const { openAccountCount, openedAccountCount, inactiveCardCount, activeCardCount, frozenCardCount } = overview;
  return [
    {
      label: 'Accounts',
      value: openAccountCount.toLocaleString('en-US'),
      href: hrefOf('/accounts'),
      about: `${openedAccountCount.toLocaleString('en-US')} opened in 30 days`,
    },
    ...overview.currencies.map(({ currency, deposits, openAccountCount: accounts }) => ({
      label: `Deposits in ${currency}`,
      value: <Money amount={deposits} {...{ currency }} />,
      href: hrefOf('/accounts'),
      about: counted(accounts, 'account'),
    })),
    {
      label: 'Cards in use',
      value: activeCardCount.toLocaleString('en-US'),
      href: hrefOf('/changes', {
        action: 'card.create,card.activate,card.freeze,card.unfreeze,card.report,card.close',
      }),
      about: `${frozenCardCount.toLocaleString('en-US')} frozen, ${inactiveCardCount.toLocaleString('en-US')} inactive`,
    },
    {
      label: 'Requests to approve',
      value: overview.waitingApprovalCount.toLocaleString('en-US'),
      href: hrefOf('/approvals'),
    },
    // Nothing is known of webhooks before the answer, and where there are none.
    ...(webhooks
      ? [
          {
            label: 'Failed webhooks',
            value: failedDeliveries(webhooks).toLocaleString('en-US'),
            href: hrefOf('/webhooks'),
          },
        ]
      : []),
  ];
}
