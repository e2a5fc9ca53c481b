// GraphQL Yoga on node:http, with its caches of parsed and validated documents, which are on by default.
import { createServer } from 'node:http';
import { createSchema, createYoga } from 'graphql-yoga';
import { listen } from './postgres.mjs';
import { contextOf, resolvers } from './resolvers.mjs';
import { typeDefs } from './schema.mjs';

const yoga = createYoga({
  schema: createSchema({ typeDefs, resolvers }),
  context: ({ request }) => contextOf(request.headers.get('x-idempotency-key')),
  logging: false,
  graphiql: false,
});
listen(createServer((request, response) => void yoga(request, response)));
