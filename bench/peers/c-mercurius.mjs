// Mercurius on Fastify with its JIT from the first query on, and its loaders, which batch the children of a request.
import Fastify from 'fastify';
import mercurius from 'mercurius';
import { announce } from './postgres.mjs';
import { accountsOf, addBeneficiary, beneficiariesOf, pagesOf } from './reads.mjs';
import { typeDefs } from './schema.mjs';

/** All objects of a batch stand under the same field of one document, and so have the same arguments. */
const idsOf = batch => batch.map(({ obj }) => obj.accountId);

const app = Fastify({ logger: false });
await app.register(mercurius, {
  schema: typeDefs,
  jit: 1,
  context: request => ({ key: request.headers['x-idempotency-key'] }),
  resolvers: {
    Query: {
      account: async (_root, { accountId }) => (await accountsOf([accountId]))[0],
      accounts: async (_root, { first, filter }) => ({ nodes: await accountsOf(filter.accountIds.slice(0, first)) }),
    },
    Mutation: {
      addBeneficiary: async (_root, { input }, { key }) => ({
        beneficiary: await addBeneficiary(key, input.accountId, input.beneficiary),
      }),
    },
  },
  loaders: {
    Account: {
      beneficiaries: {
        loader: async batch => (await beneficiariesOf(idsOf(batch), batch[0].params.first)).map(nodes => ({ nodes })),
        opts: { cache: false },
      },
      transactions: {
        loader: batch => pagesOf(idsOf(batch), batch[0].params.first, batch[0].params.offset),
        opts: { cache: false },
      },
    },
  },
});
await app.listen({ host: '127.0.0.1', port: 0 });
announce(app.server);
