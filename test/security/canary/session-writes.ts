import type { Canaries } from './canaries.js';
import type { CanaryGateway } from './house.js';
import { Writer } from './writer.js';

/** Of the people whom a button signs in. */
const DEMO = 'demo';

interface Sessions {
  readonly operatorSessions: readonly { readonly sessionId: string }[];
}

/** Sessions of the console that an operator ends, over REST and GraphQL. */
export async function endSessions(house: CanaryGateway, canaries: Canaries): Promise<void> {
  const writer = new Writer(house, canaries, await house.callerOf(DEMO, 'session-keeper'));
  const headers = { 'sec-fetch-site': 'same-origin' };
  const newest = async (): Promise<string> => {
    await house.ask(null, { method: 'POST', path: '/console/sign-in', body: { as: 'viewer' }, headers });
    const { operatorSessions } = await writer.once<Sessions>({ method: 'GET', path: '/operator-sessions?limit=1' });
    return String(operatorSessions[0]?.sessionId);
  };
  await writer.withReplay({ method: 'DELETE', path: `/operator-sessions/${await newest()}` });
  const query =
    'mutation ($account: ID!) { endOperatorSession(input: { sessionId: $account }) { session { sessionId subject name } } }';
  await writer.withReplay({
    method: 'POST',
    path: '/graphql',
    body: { query, variables: { account: await newest() } },
  });
}
