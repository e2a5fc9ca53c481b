// Apollo Server 5 as its guide starts it, with dataloaders.
import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import { contextOf, resolvers } from './resolvers.mjs';
import './postgres.mjs';
import { typeDefs } from './schema.mjs';

const { url } = await startStandaloneServer(new ApolloServer({ typeDefs, resolvers }), {
  listen: { host: '127.0.0.1', port: 0 },
  context: async ({ req }) => contextOf(req.headers['x-idempotency-key']),
});
console.log(new URL(url).origin);
