import { useQuery } from '../client/query.js';
import { useMay, useSession } from '../client/session.js';
import { ConsoleNamesDocument } from '../generated/graphql.js';
import { byWhom } from './happened.js';

/** Says who did something: people who are signed in by their names, others by their subject. */
export function useWho(): (actor: { readonly clientId: string; readonly subject: string }) => string {
  const { subject: own, name } = useSession();
  const { data } = useQuery(ConsoleNamesDocument, useMay('operations.read') ? {} : null);
  const names = new Map(data?.operatorSessions?.nodes.map(session => [session.subject, session.name]));
  if (name) names.set(own, name);
  return actor => (actor.clientId === 'console' && names.get(actor.subject)) || byWhom(actor);
}
