import type { GraphQLSchema } from 'graphql';
import { buildSchemaSync, type ClassType } from 'type-graphql';
import { accountLinkOf } from '../account/account-link.resolver.js';
import { orderArguments } from '../platform/graphql/argument-order.js';
import { asSubgraph } from '../platform/graphql/federation.js';
import { directivesOf } from '../platform/graphql/directives.js';
import { bindNodeIds } from '../platform/graphql/node.js';
import { nodeLinkResolver } from '../platform/graphql/node-link.js';
import { NodeResolver, type LoadNode } from '../platform/graphql/node.resolver.js';
import { bindNames } from '../platform/graphql/renamed.js';
import { feedPubSub } from '../platform/graphql/subscriptions/live.js';
import { validateArgument } from '../platform/graphql/validate-arguments.js';
import type { GraphqlSettings } from '../platform/graphql/settings.js';
import { resolver, type ResolverOf } from '../platform/noun/noun.js';
import { IN_OPERATIONS, PROGRAM_WIDE } from '../shared/caller.js';
import { CODES_OF_EVERY_FIELD, CODES_OF_EVERY_MUTATION } from '../shared/operation.js';
import type { Container } from './container.js';
import { NOUNS, type Services } from './nouns.js';

/** Everything that GraphQL serves, with the sandbox. */
const RESOLVERS: readonly (ResolverOf<never> & { readonly isOfSandbox?: boolean | undefined })[] = [
  resolver(NodeResolver, (of: Services) => new NodeResolver(nodesOf(of))),
  ...NOUNS.all.flatMap(({ resolvers = [], isOfSandbox }) => resolvers.map(one => ({ ...one, isOfSandbox }))),
  ...NOUNS.all
    .flatMap(({ belongToAccount = [] }) => belongToAccount)
    .map(Type => {
      const Link = accountLinkOf(Type);
      return resolver(Link, (of: Services) => new Link(of.accounts));
    }),
  ...NOUNS.all
    .flatMap(({ nodeLinks = [] }) => nodeLinks)
    .map(link => {
      const Link = nodeLinkResolver(link);
      return resolver(Link, (of: Services) => new Link(new NodeResolver(nodesOf(of))));
    }),
];

const MIDDLEWARES = NOUNS.all.flatMap(({ middlewares = [] }) => middlewares);

function listed(words: readonly string[]): string {
  return words.map(word => `\`${word}\``).join(', ');
}

/** What holds everywhere, so that fields need not say it again. Type-GraphQL has no place for it. */
const ABOUT: Readonly<Record<string, string>> = {
  schema: `Accounts of a bank with their owners, beneficiaries, transactions, statements and cards.

Each request has an access token (\`Authorization: Bearer\`), which belongs to one program and sees only that program's accounts, or only
those of one customer. Data that a caller may not see is treated like data that does not exist: it is null, or refused as not found.

A refusal is an error with a stable \`extensions.code\`; \`extensions.errors\` lists every wrong value with \`pointer\` (from the arguments
of the field, such as \`/input/sharePercentage\`), \`code\` and \`detail\`. A field that is refused, for a missing scope or a broken rule,
is null and has an error, and the other fields are answered; a malformed request is refused before anything runs. Every field can be refused
with ${listed(CODES_OF_EVERY_FIELD)}, and with those that its \`@refuses\` names; \`ErrorCode\` explains them. A request that is too large
or requests too much is refused before anything runs.

The scopes ${listed([...PROGRAM_WIDE])} need a token that is not bound to one customer; \`operations\` includes
${listed([...IN_OPERATIONS])}.`,
  Query: `The data that can be read. Queries change nothing.

A list comes page by page: \`first\` elements after the cursor \`after\`, or \`last\` elements before the cursor \`before\`, always in the order
of the list. Cursors are opaque, and valid for their list. Without a filter a list has all elements.`,
  Mutation: `The changes that can be made. Each field is executed completely or not at all, and records an event.

With an \`X-Idempotency-Key\`, such as \`4be0c1a2\`, a retry gets the first response and changes nothing. If an operation has several
fields, each field has its own key, made of that key and the position of the field among the mutation fields of the document. Aliases,
\`@skip\` and \`@include\` do not change the position. Every field can be refused with ${listed(CODES_OF_EVERY_MUTATION)} besides. A refusal
with \`rule_broken\` does not use the key: correct the input and send the same key.

With \`dryRun\` a field makes the same checks and gives the same answer, and writes nothing: no event is recorded, and an idempotency key is
neither looked up nor used. With \`expectedVersion\` it changes a record only in that \`version\`; without it, in any. A retry under a key gets the
first response, whatever version it expects.

Where the program wants two pairs of eyes, fields that can be refused with \`approval_required\` wait until another person approves them:
the error has \`extensions.approvalId\`. Send the operation again with the same key to get the result then.

A field that is refused is null and has an error; the other fields are executed.`,
  Subscription: `What happens, as it happens. Each item has a \`cursor\`: a client that subscribes again with it as \`after\` gets what it has
missed and then what comes, without a gap and nothing twice. Without \`after\` a subscription begins now. An operation has one field.

The gateway ends a subscription with an error whose \`extensions.code\` says why and whose \`extensions.cursor\` says where to go on:
\`unauthenticated\` at the end of the access token, \`account_not_found\` when the caller may no longer see the account,
\`rate_limited\`, \`subscriber_too_slow\`, and \`unavailable\` when the process stops. One that cannot begin is refused with
\`too_many_subscriptions\` or like a query.`,
};

/**
 * The GraphQL schema, as production serves it or with the sandbox. `instanceOf` gives the instance of a resolver class;
 * printing the schema needs none.
 */
export function buildGraphqlSchema(
  instanceOf: (resolver: unknown) => object = () => ({}),
  hasSandbox = false,
): GraphQLSchema {
  const served = RESOLVERS.filter(({ isOfSandbox = false }) => hasSandbox || !isOfSandbox);
  const schema = buildSchemaSync({
    resolvers: served.map(({ of }) => of) as [ClassType, ...ClassType[]],
    container: { get: instanceOf },
    pubSub: feedPubSub(instanceOf),
    validateFn: validateArgument,
    directives: directivesOf(hasSandbox),
    // Apollo Server checks the schema when it starts.
    skipCheck: true,
  });
  bindNodeIds(schema);
  bindNames(schema);
  orderArguments(schema);
  schema.description = ABOUT.schema;
  for (const type of [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]) {
    if (type) type.description = ABOUT[type.name];
  }
  return schema;
}

/** The GraphQL schema over a bank's data. */
export function schemaOf(
  container: Container,
  {
    federation,
    federationAuthorization: authorization,
    introspection,
  }: Pick<GraphqlSettings, 'federation' | 'federationAuthorization' | 'introspection'>,
): GraphQLSchema {
  const schema = buildGraphqlSchema(instancesOver(container), container.sandbox !== null);
  return federation ? asSubgraph(schema, nodesOf(container), { introspection, authorization }) : schema;
}

/** Each class has one instance, made when it is first asked for. */
function instancesOver(services: Services): (resolver: unknown) => object {
  const makers = new Map<unknown, ResolverOf<never>['make']>(
    [...RESOLVERS, ...MIDDLEWARES].map(({ of, make }) => [of, make]),
  );
  const instances = new Map<unknown, object>();
  return of => {
    const instance = instances.get(of) ?? makers.get(of)?.(services as never);
    if (!instance) throw new Error('a resolver is in the schema and in no noun');
    instances.set(of, instance);
    return instance;
  };
}

/** How each type of records with an id is read by the parts of its key: by the same services as its other fields. */
function nodesOf(services: Services): Readonly<Record<string, LoadNode>> {
  return Object.assign({}, ...NOUNS.all.map(({ nodes }) => nodes?.(services as never))) as Record<string, LoadNode>;
}
