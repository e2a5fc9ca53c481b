// Fastify with a schema for every answer, so that it writes JSON with compiled code. REST: other paths, and one body
// for each.
import Fastify from 'fastify';
import { announce } from './postgres.mjs';
import { accountsOf, addBeneficiary, beneficiariesOf, pagesOf } from './reads.mjs';

const text = { type: 'string' };
const orNull = { type: ['string', 'null'] };
const number = { type: 'number' };
const integer = { type: 'integer' };
const object = properties => ({ type: 'object', properties });
const array = items => ({ type: 'array', items });

const SCALARS = {
  transactionId: text,
  referenceTransactionId: orNull,
  reference: orNull,
  accountId: text,
  amount: number,
  availableBalance: number,
  debitCreditMemo: text,
  category: text,
  transactionType: text,
  status: text,
  description: orNull,
  memo: orNull,
  transactionTime: text,
  transactionTimestamp: text,
  postedTime: orNull,
  postedTimestamp: orNull,
};
const LINE = object({ description: orNull, reference: orNull, imageIds: array(text), links: array(text) });
const LISTS = {
  additionalInformation: array(
    object({
      key: text,
      value: text,
    }),
  ),
  lineItem: array(LINE),
  imageIds: array(text),
  fiAttributes: array(text),
  links: array(text),
};
const BENEFICIARY = object({
  beneficiaryId: text,
  name: object({
    first: text,
    middle: orNull,
    last: text,
  }),
  taxId: orNull,
  beneficiaryType: text,
  relationship: text,
  sharePercentage: integer,
});
const ACCOUNT = object({
  accountId: text,
  status: text,
  currency: text,
  availableBalance: number,
  beneficiaries: array(BENEFICIARY),
  transactions: object({
    totalCount: integer,
    nodes: array(object(SCALARS)),
  }),
});
const LIST = object({
  page: object({ nextOffset: integer, totalElements: integer }),
  links: object({ next: object({ href: text }) }),
  transactions: array(object({ depositTransaction: object({ ...SCALARS, ...LISTS }) })),
});
const PARTS = { beneficiaries: { ...integer, default: 0 }, transactions: { ...integer, default: 0 } };

async function withParts(accounts, { beneficiaries: first, transactions: size }) {
  const ids = accounts.map(({ accountId }) => accountId);
  const [beneficiaries, transactions] = await Promise.all([
    first && beneficiariesOf(ids, first),
    size && pagesOf(ids, size, 0),
  ]);
  return accounts.map((account, n) => ({
    ...account,
    ...(beneficiaries && { beneficiaries: beneficiaries[n] }),
    ...(transactions && { transactions: transactions[n] }),
  }));
}

const app = Fastify({ logger: false });

app.get('/accounts/:id', { schema: { querystring: object(PARTS), response: { 200: ACCOUNT } } }, async request => {
  const [account] = await withParts(await accountsOf([request.params.id]), request.query);
  return account;
});

app.get(
  '/accounts',
  { schema: { querystring: object({ ids: text, ...PARTS }), response: { 200: array(ACCOUNT) } } },
  async request => withParts(await accountsOf(request.query.ids.split(',')), request.query),
);

app.get(
  '/accounts/:id/transactions',
  { schema: { querystring: object({ offSet: integer, limit: integer }), response: { 200: LIST } } },
  async ({ params: { id }, query: { offSet, limit } }) => {
    const [{ totalCount, nodes }] = await pagesOf([id], limit, offSet, true);
    const next = offSet + limit;
    const href = `/accounts/${id}/transactions?offSet=${next}&limit=${limit}&snapshot=${totalCount}`;
    return {
      page: { ...(next < totalCount && { nextOffset: next }), totalElements: totalCount },
      links: next < totalCount ? { next: { href } } : {},
      transactions: nodes.map(node => ({ depositTransaction: { ...node, imageIds: [], fiAttributes: [], links: [] } })),
    };
  },
);

app.post('/accounts/:id/beneficiaries', { schema: { body: object({}), response: { 200: BENEFICIARY } } }, request =>
  addBeneficiary(request.headers['x-idempotency-key'], request.params.id, request.body),
);

await app.listen({ host: '127.0.0.1', port: 0 });
announce(app.server);
