import { test, expect, beforeAll, afterAll } from '@jest/globals';
import { startTestGateway, keyed, type TestGateway } from '../support/gateway.js';
import { newBeneficiary, leastBeneficiary } from '../support/given.js';
let g: TestGateway;
beforeAll(async () => { g = await startTestGateway(); });
afterAll(() => g.stop());
const show = (name: string, a: any) => console.log(name, a.status, JSON.stringify(a.headers['content-type']), a.text.slice(0, 600));
test('probe', async () => {
  const { caller, account, owners } = await g.given.account();
  const me = g.as(caller);
  show('add', await me.rest.post(`/accounts/${account}/beneficiaries`, newBeneficiary(), keyed('k1')));
  show('gql', await me.graphql(`{ account(accountId: "${account}") { accountId availableBalance owners { customerId governmentId isPrimary } beneficiaries { totalCount nodes { beneficiaryId taxId dateOfBirth } } } }`));
  for (const [name, r] of Object.entries<any>({
    html: { path: '/graphql', headers: { accept: 'application/json, text/html' } },
    encodedQuery: { path: '/graphql?quer%79=%7B__typename%7D', headers: { accept: 'application/json, text/html' } },
    put: { method: 'PUT', path: '/graphql', headers: { 'content-type': 'application/json' }, body: {} },
    head: { method: 'HEAD', path: '/graphql' },
    getmut: { path: `/graphql?query=mutation%7BdeleteBeneficiary(accountId:%22a%22,beneficiaryId:%22${owners[0]}%22)%7BbeneficiaryId%7D%7D`, headers: { 'apollo-require-preflight': '1' } },
    csrf: { path: `/graphql?query=%7B__typename%7D` },
    empty: { method: 'POST', path: '/graphql', headers: { 'content-type': 'application/json' }, body: '{}' },
    arr: { method: 'POST', path: '/graphql', headers: { 'content-type': 'application/json' }, body: '[]' },
    arr2: { method: 'POST', path: '/graphql', headers: { 'content-type': 'application/json' }, body: '[{"query":"{__typename}"}]' },
    nul: { method: 'POST', path: '/graphql', headers: { 'content-type': 'application/json' }, body: 'null' },
    str: { method: 'POST', path: '/graphql', headers: { 'content-type': 'application/json' }, body: '"CANARY"' },
    q5: { method: 'POST', path: '/graphql', headers: { 'content-type': 'application/json' }, body: '{"query":5}' },
    varstr: { method: 'POST', path: '/graphql', headers: { 'content-type': 'application/json' }, body: '{"query":"{__typename}","variables":"CANARY"}' },
    vararr: { method: 'POST', path: '/graphql', headers: { 'content-type': 'application/json' }, body: '{"query":"{__typename}","variables":["CANARY"]}' },
    ext: { method: 'POST', path: '/graphql', headers: { 'content-type': 'application/json' }, body: '{"query":"{__typename}","extensions":"CANARY"}' },
    pq: { method: 'POST', path: '/graphql', headers: { 'content-type': 'application/json' }, body: '{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"CANARY"}}}' },
    opname: { method: 'POST', path: '/graphql', headers: { 'content-type': 'application/json' }, body: '{"query":"query a {__typename}","operationName":"CANARY"}' },
    opnum: { method: 'POST', path: '/graphql', headers: { 'content-type': 'application/json' }, body: '{"query":"query a {__typename}","operationName":5}' },
    objlit: { method: 'POST', path: '/graphql', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query: '{ account(accountId: {x: "CANARY"}) { accountId } }' }) },
    nullvar: { method: 'POST', path: '/graphql', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query: 'query($a: ID = "x") { account(accountId: $a) { accountId } }', variables: { a: null } }) },
    subscr: { method: 'POST', path: '/graphql', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query: 'subscription { a }' }) },
    accept: { method: 'POST', path: '/graphql', headers: { 'content-type': 'application/json', accept: 'text/plain' }, body: JSON.stringify({ query: '{__typename}' }) },
    incr: { method: 'POST', path: '/graphql', headers: { 'content-type': 'application/json', accept: 'multipart/mixed; deferSpec=20220824' }, body: JSON.stringify({ query: '{__typename}' }) },
    comment: { method: 'POST', path: '/graphql', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query: '#\r' + '{a'.repeat(4500) + '}'.repeat(4500) }) },
    comment2: { method: 'POST', path: '/graphql', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query: '#\r{account(accountId:' + '['.repeat(9000)  }) },
    block: { method: 'POST', path: '/graphql', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query: '{account(accountId:"""\\""" """) ' + '{a'.repeat(4500) + '}'.repeat(4501) }) },
    lf: { method: 'POST', path: '/graphql', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query: '{account(accountId:"a",CANARY' }) },
  })) show(name, await me.raw(r));
  const t = Date.now();
  console.log(g.log.filter(l => !l.includes('"request"')).slice(0, 10).join(''));
  for (const path of ['/accounts/%zz/beneficiaries', '/accounts/%00/beneficiaries', '/accounts/%ff/beneficiaries', '/nope', `/accounts/${account}/beneficiaries?limit=5?x=1`, `/accounts/${account}/beneficiaries/x?x=1`]) show(path, await me.rest.get(path));
  show('put', await me.raw({ method: 'PUT', path: `/accounts/${account}/beneficiaries` }));
  show('opt', await me.raw({ method: 'OPTIONS', path: `/accounts/${account}/beneficiaries` }));
  for (const size of [1024 * 1024 + 1, 5_000_000, 50_000_000]) for (const chunked of [false, true]) for (const who of [me, g.as(null)]) {
    const r = await who.raw({ method: 'POST', path: `/accounts/${account}/beneficiaries`, headers: { 'content-type': 'application/json' }, body: Buffer.alloc(size, ' '), chunked }).then(a => [a.status, a.headers.connection], e => String(e));
    console.log(size, chunked, r);
    const r2 = await who.raw({ method: 'POST', path: `/graphql`, headers: { 'content-type': 'application/json' }, body: Buffer.alloc(size, ' '), chunked }).then(a => [a.status, a.headers.connection], e => String(e));
    console.log(size, chunked, r2);
  }
  for (const body of [`{"addresses":[${'{},'.repeat(340000)}{}]}`, `{"addresses":[${'[],'.repeat(340000)}{}]}`, `{"holders":[${'{},'.repeat(340000)}{}]}`, `{${Array.from({length:60000},(_, i) => `"k${i}":1`).join(',')}}`]) {
    const t0 = Date.now();
    const a = await me.rest.post(`/accounts/${account}/${body.includes('holders') ? 'owners/add' : 'beneficiaries'}`, body);
    console.log('big', a.status, Date.now() - t0, 'ms', a.text.length);
  }
  // names
  const token = await g.caller({ program: 'x', customerId: owners[0] });
  for (const filter of [{ status: ['OPEN'] }, { accountIds: ['a'] }, { customerId: owners[0] }, {}, { status: ['OPEN'], accountIds: ['a'] }]) {
    for (let i = 0; i < 3; i++) {
    const a = await g.as(token).graphql(`query($f: AccountFilter) { accounts(filter: $f) { totalCount nodes { accountId } } }`, { f: filter });
    console.log(JSON.stringify(filter), a.text); }
  }
  const n = 24;
  const frs = Array.from({ length: n }, (_, i) => `fragment f${i} on Mutation { ...f${i + 1} ...f${i + 1} }`).join(' ') + ` fragment f${n} on Mutation { __typename }`;
  const t1 = Date.now();
  show('frags', await me.graphql(`mutation { ...f0 } ${frs}`));
  console.log('frags', Date.now() - t1);
  console.log(leastBeneficiary(), expect, t);
}, 120000);
