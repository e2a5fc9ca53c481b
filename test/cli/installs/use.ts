import assert from 'node:assert/strict';
import { commandLine, type Installation } from './installed.js';

/** The pages for people, each of which is a card on the first. */
const PAGES = ['/', '/graphiql', '/graphql', '/docs', '/problems', '/console'];

/** The address that a gateway prints when it serves. */
export async function addressOf(printed: AsyncIterable<Buffer>): Promise<string> {
  let seen = '';
  // Read on to the end, since a gateway whose log nobody reads keeps it.
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  void (async () => {
    for await (const chunk of printed) {
      seen += chunk.toString();
      const [, url] = /^(http\S+)$/m.exec(seen) ?? [];
      if (url) resolve(url);
    }
    reject(new Error(`It does not serve: ${seen}`));
  })();
  return promise;
}

/** GraphQL and REST, a write that is sent twice, a document, the pages, an import and a command beside the gateway. */
export async function useIt(url: string, installation: Installation, env: Record<string, string>): Promise<void> {
  const token = (await commandLine(installation, ['token', '--program', 'demo'], env)).stdout.trim();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'x-idempotency-key': 'one' };
  const get = async (path: string, accept = '*/*'): Promise<Response> => {
    const answer = await fetch(url + path, { headers: { ...headers, accept } });
    assert.equal(answer.status, 200, path);
    return answer;
  };
  const asked = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ query: '{ account(accountId: "demo-1001") { owners { name { first } } } }' }),
  });
  const { data } = (await asked.json()) as { data: unknown };
  assert.deepEqual(data, { account: { owners: [{ name: { first: 'Maren' } }, { name: { first: 'Tobias' } }] } });

  const body = JSON.stringify({
    name: {
      first: 'Ada',
      last: 'Villaseñor',
    },
    beneficiaryType: 'PRIMARY',
    relationship: 'CHILD',
    sharePercentage: 100,
  });
  const add = () => fetch(`${url}/accounts/demo-1009/beneficiaries`, { method: 'POST', headers, body });
  const answers = [await add(), await add()];
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 201],
  );
  assert.equal(answers[1]?.headers.get('idempotent-replayed'), 'true');

  const closed = await commandLine(installation, ['statements', 'close', '--month', '2026-01'], env);
  assert.equal(closed.status, 0, closed.stderr);
  const { statements } = (await (await get('/accounts/demo-1001/statements')).json()) as {
    statements: { statementId: string }[];
  };
  const document = await get(`/accounts/demo-1001/Statements/${statements[0]?.statementId}`);
  assert.equal(Buffer.from(await document.arrayBuffer()).toString('latin1', 0, 5), '%PDF-');
  for (const page of PAGES) await get(page, 'text/html');
  for (const path of ['/openapi.json', '/metrics', '/readyz']) await get(path);

  const line = { customerId: '5f1c8a52-6f0e-4c0b-9d55-0c8f0f6f2f01', name: { first: 'Ines', last: 'Falkenrath' } };
  const importing = ['import', 'customers', '-', '--program', 'harbor'];
  const imported = await commandLine(installation, importing, env, JSON.stringify(line));
  assert.match(imported.stdout, /^customers: 1 new,/, imported.stderr);
  assert.equal((await commandLine(installation, ['keys', 'rotate'], env)).status, 0);
}
