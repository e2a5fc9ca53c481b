// Resolvers with dataloaders, as Yoga's and Apollo's own guides show them. Loaders live as long as a request.
import DataLoader from 'dataloader';
import { accountsOf, addBeneficiary, beneficiariesOf, pagesOf } from './reads.mjs';

export function contextOf(key) {
  const loaders = new Map();
  /** One loader for a field with its arguments. */
  const loader = (name, load) => {
    if (!loaders.has(name)) loaders.set(name, new DataLoader(load));
    return loaders.get(name);
  };
  return { key, loader };
}

export const resolvers = {
  Query: {
    account: async (_root, { accountId }) => (await accountsOf([accountId]))[0],
    accounts: async (_root, { first, filter }) => ({ nodes: await accountsOf(filter.accountIds.slice(0, first)) }),
  },
  Mutation: {
    addBeneficiary: async (_root, { input }, { key }) => ({
      beneficiary: await addBeneficiary(key, input.accountId, input.beneficiary),
    }),
  },
  Account: {
    beneficiaries: async ({ accountId }, { first }, { loader }) => ({
      nodes: await loader(`beneficiaries ${first}`, ids => beneficiariesOf(ids, first)).load(accountId),
    }),
    transactions: ({ accountId }, { first, offset }, { loader }) =>
      loader(`transactions ${first} ${offset}`, ids => pagesOf(ids, first, offset)).load(accountId),
  },
};
