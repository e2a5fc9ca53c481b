import { useEffect, useRef } from 'preact/hooks';
import { useQuery } from '../../client/query.js';
import { ConsoleRequestByIdDocument, type ConsoleRequestByIdQuery } from '../../generated/graphql.js';
import { hrefOf } from '../../router.js';
import { Card } from '../../ui/card.js';
import { ChangeList } from '../../ui/change-list.js';
import { Copy } from '../../ui/copy.js';
import { Facts } from '../../ui/facts.js';
import { Screen } from '../../ui/screen.js';
import { Answer, Empty } from '../../ui/states.js';
import { Time } from '../../ui/time.js';
import { useWho } from '../../ui/who.js';
import { operationOf, Outcome, RequestTable } from './request-table.js';

type Request = NonNullable<ConsoleRequestByIdQuery['apiRequest']>;

/** A request is in the log within a second after its answer, and somebody may follow its link at once. */
const LOOKS = { most: 3, everyMs: 1000 };

/** One request with its problems explained, its events, and its replays. */
export function RequestScreen({ requestId = '' }: Readonly<Record<string, string>>) {
  const query = useQuery(ConsoleRequestByIdDocument, { requestId, same: { requestId } });
  const request = query.data?.apiRequest;
  const looks = useRef(0);
  const isMissing = query.data !== undefined && !request;
  useEffect(() => {
    if (!isMissing) return;
    const timer = setInterval(() => {
      looks.current += 1;
      if (looks.current > LOOKS.most) clearInterval(timer);
      else query.reload();
    }, LOOKS.everyMs);
    return () => clearInterval(timer);
  }, [isMissing, query.reload]);
  return (
    <Screen
      title={request ? operationOf(request) : 'Request'}
      about={
        <span class="with-copy">
          {requestId} <Copy text={requestId} label="request id" />
        </span>
      }
    >
      <Answer of={query} lines={8}>
        {({ apiRequest: found, apiRequests: same }) =>
          found ? (
            <>
              <Record request={found} />
              {found.problems.length > 0 && <Problems request={found} />}
              <Events request={found} />
              <Others title="With the same idempotency key" requests={found.sameKeyRequests ?? []} />
              <Others
                title="With the same request id"
                requests={same?.nodes.filter(({ entryId }) => entryId !== found.entryId) ?? []}
              />
            </>
          ) : (
            <Empty title="No such request">
              The log keeps writes and refused requests for some days.{' '}
              <a href={hrefOf('/changes', { request: requestId })}>See the changes of this request</a>.
            </Empty>
          )
        }
      </Answer>
    </Screen>
  );
}

function Record({ request }: { readonly request: Request }) {
  const who = useWho();
  const { answeredAt, durationMs, clientId, actor, api, method, rootFields, httpStatus } = request;
  const { requestBytes, answerBytes, userAgent, clientAddress } = request;
  const bytes = (count: number | null | undefined): string =>
    count == null ? 'Unknown' : `${count.toLocaleString('en-US')} bytes`;
  return (
    <Card title="Request">
      <Facts
        facts={[
          ['Outcome', <Outcome request={request} />],
          ['Sent by', who(request)],
          ['Client', <a href={hrefOf('/requests', { client: clientId })}>{clientId}</a>],
          actor != null && ['Actor', actor],
          ['Answered', <Time at={answeredAt} withSeconds />],
          ['Duration', `${durationMs.toLocaleString('en-US')} ms`],
          ['API', api === 'REST' ? 'REST' : 'GraphQL'],
          ['HTTP', `${method}, status ${httpStatus}`],
          rootFields.length > 0 && ['Fields', rootFields.join(', ')],
          ['Sent', bytes(requestBytes)],
          ['Received', bytes(answerBytes)],
          userAgent != null && ['User agent', <span class="break">{userAgent}</span>],
          clientAddress != null && ['Address', clientAddress],
        ]}
      />
    </Card>
  );
}

function Problems({ request: { problems } }: { readonly request: Request }) {
  return (
    <Card title="Why it was refused">
      {problems.map(({ code, meaning, remedy, fields }) => (
        <div key={code}>
          <p>
            <a href={`/problems#${code}`} target="_blank" rel="noreferrer">
              <code>{code}</code>
            </a>{' '}
            {meaning}
          </p>
          {remedy != null && <p class="soft">{remedy}</p>}
          {fields.length > 0 && (
            <Facts
              isLines
              facts={fields.map(field => [field.pointer || 'The whole', field.meaning ?? field.code] as const)}
            />
          )}
        </div>
      ))}
    </Card>
  );
}

function Events({ request: { events, isReplay } }: { readonly request: Request }) {
  if (!events) return null;
  return (
    <Card title="What it did" isFlush>
      {events.length > 0 ? (
        <ChangeList caption="Events of the request" events={events} isApart />
      ) : (
        <Empty title="Nothing">
          {isReplay ? 'An earlier request with the same key had done it.' : 'The request recorded no event.'}
        </Empty>
      )}
    </Card>
  );
}

function Others({ title, requests }: { readonly title: string; readonly requests: Request['sameKeyRequests'] }) {
  if (!requests || requests.length === 0) return null;
  return (
    <Card title={title} isFlush>
      <RequestTable caption={title} requests={requests} />
    </Card>
  );
}
