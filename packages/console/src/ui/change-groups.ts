import { happened, type Actor } from './happened.js';
import { lowered, sentenceOf, type ToldEvent } from './sentences.js';
import { dayText } from './time.js';
import { counted } from './words.js';

type ListedEvent = ToldEvent & { readonly eventId: string };

/** Changes that one request, import or run made are one row. */
export interface ChangeGroup<Event extends ListedEvent> {
  readonly key: string;
  readonly first: Event;
  readonly count: number;
  readonly sentence: string;
  /** The account that all of them are about; null where they are about several, or the program. */
  readonly accountId: string | null;
  readonly accounts: number;
}

/** Groups neighbours that have the same request, in the order of the list. */
export function groupsOf<Event extends ListedEvent>(
  events: readonly Event[],
  whoIs: (actor: Actor) => string,
): readonly ChangeGroup<Event>[] {
  const groups: Event[][] = [];
  for (const event of events) {
    const last = groups.at(-1);
    const isSame = last?.[0]?.audit?.requestId === event.audit?.requestId && event.audit?.outcome === 'DONE';
    if (last && isSame && last[0]?.audit?.outcome === 'DONE') last.push(event);
    else groups.push([event]);
  }
  return groups.flatMap(group => (group[0] ? [groupOf(group as [Event, ...Event[]], whoIs)] : []));
}

function groupOf<Event extends ListedEvent>(
  events: readonly [Event, ...Event[]],
  whoIs: (actor: Actor) => string,
): ChangeGroup<Event> {
  const whole = events.find(({ audit }) => audit?.action === 'record.import');
  const first = whole ?? events[0];
  const accounts = new Set(events.flatMap(({ accountId }) => accountId ?? []));
  const sentences = new Set(events.map(event => sentenceOf(event, whoIs)));
  const who = first.audit ? whoIs(first.audit) : '';
  const sentence =
    whole || sentences.size === 1 ? sentenceOf(first, whoIs) : `${who} ${totalOf(events, accounts.size)}`;
  const [accountId = null] = accounts.size === 1 ? accounts : [];
  return { key: first.eventId, first, count: events.length, sentence, accountId, accounts: accounts.size };
}

function totalOf(events: readonly ToldEvent[], accounts: number): string {
  const isIssue = events.every(({ audit }) => audit?.action === 'statement.issue');
  if (isIssue) {
    const days = new Set(events.map(({ audit }) => audit?.data['statementDate']));
    const of = days.size === 1 ? ` of ${dayText(String([...days][0]))}` : '';
    return `issued ${counted(events.length, 'document')}${of} to ${counted(accounts, 'account')}`;
  }
  const kinds = Map.groupBy(events, event => lowered(happened(event)));
  const told = [...kinds].map(([kind, { length }]) => `${kind}${length > 1 ? ` ${length} times` : ''}`);
  return `made ${counted(events.length, 'change')}: ${told.join(', ')}`;
}
