import { useQuery } from '../client/query.js';
import { useMay, useSession } from '../client/session.js';
import { ConsoleNamesDocument } from '../generated/graphql.js';
import { byWhom, CONSOLE, type Actor } from './happened.js';

/** Says who did something: people who are signed in by their names, others by their subject. */
export function useWho(): (actor: Actor) => string {
  const { names: lately } = useSession();
  const { data } = useQuery(ConsoleNamesDocument, useMay('operations.read') ? {} : null);
  const names = new Map(Object.entries(lately));
  // Those who came while the page was open.
  for (const { subject, name } of data?.operatorSessions?.nodes ?? []) names.set(subject, name);
  return actor => (actor.clientId === CONSOLE && names.get(actor.subject)) || byWhom(actor);
}
