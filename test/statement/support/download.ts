import type { Answer, TestGateway } from '../../support/gateway.js';
import type { GivenStatement } from '../../support/given.js';

type Ask = (of: Pick<GivenStatement, 'caller' | 'path'>, headers?: Record<string, string>) => Promise<Answer>;

/** Downloads of documents by those who see them. */
export function downloads(gateway: TestGateway): { get: Ask; head: Ask } {
  const ask =
    (method: string): Ask =>
    ({ caller, path }, headers = {}) =>
      gateway.as(caller).raw({ method, path, headers });
  return { get: ask('GET'), head: ask('HEAD') };
}

/** The status and the headers of an answer, without those that are different in each. */
export function about({ status, headers }: Answer): unknown[] {
  const { date: _date, 'x-request-id': _id, connection: _connection, 'keep-alive': _alive, ...rest } = headers;
  return [status, rest];
}
