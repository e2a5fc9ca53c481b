import { API_HEADERS } from '../../../src/platform/http/browsers.js';
import type { Answer, TestGateway } from '../../support/gateway.js';
import type { GivenStatement } from '../../support/given.js';

type DownloadCall = (of: Pick<GivenStatement, 'caller' | 'path'>, headers?: Record<string, string>) => Promise<Answer>;

/** Downloads of documents by those who see them. */
export function downloads(gateway: TestGateway): { get: DownloadCall; head: DownloadCall } {
  const ask =
    (method: string): DownloadCall =>
    ({ caller, path }, headers = {}) =>
      gateway.as(caller).raw({ method, path, headers });
  return { get: ask('GET'), head: ask('HEAD') };
}

/** Headers that are different in each answer, and those that are the same in all, which have tests of their own. */
const NOT_OF_DOCUMENTS = new Set([
  'date',
  'x-request-id',
  'x-fapi-interaction-id',
  'connection',
  'keep-alive',
  'ratelimit',
  'ratelimit-policy',
  ...Object.keys(API_HEADERS).map(name => name.toLowerCase()),
]);

/** The status of an answer, and the headers that are about its document. */
export function about({ status, headers }: Answer): unknown[] {
  return [status, Object.fromEntries(Object.entries(headers).filter(([name]) => !NOT_OF_DOCUMENTS.has(name)))];
}
