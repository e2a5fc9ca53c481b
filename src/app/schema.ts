import { isObjectType, type GraphQLSchema } from 'graphql';
import { buildSchemaSync, getMetadataStorage, type ClassType } from 'type-graphql';
import { accountLinkOf } from '../bank/account/account-link.resolver.js';
import { orderArguments } from '../platform/graphql/argument-order.js';
import { bindErrorCodes } from '../platform/graphql/error-code.js';
import { asSubgraph } from '../platform/graphql/federation.js';
import { directivesOf } from '../platform/graphql/directives.js';
import { bindNodeIds } from '../platform/graphql/node.js';
import { nodeLinkResolver } from '../platform/graphql/node-link.js';
import { NodeResolver, type LoadNode } from '../platform/graphql/node.resolver.js';
import { bindNames } from '../platform/graphql/renamed.js';
import { feedPubSub } from '../platform/graphql/subscriptions/live.js';
import { validateArgument } from '../platform/input/read-input.js';
import type { GraphqlSettings } from '../platform/graphql/settings.js';
import { resolver, type Nouns, type ResolverOf } from '../platform/noun/noun.js';
import { SCALARS_OF_CLASSES } from '../platform/scalars/scalars.js';
import { INCLUDING_SCOPES, PROGRAM_WIDE } from '../shared/caller.js';
import { CODES_OF_EVERY_FIELD, CODES_OF_EVERY_MUTATION } from '../shared/operation.js';
import { graphqlCode, type ProblemCode } from '../shared/problems.js';
import type { Container } from './container.js';
import { NOUNS, type Services } from './nouns.js';

type ServedResolver = ResolverOf<never> & { readonly isOfSandbox?: boolean | undefined };

const resolversOfNouns = new WeakMap<Nouns<object>, readonly ServedResolver[]>();

/** Everything that GraphQL serves, with the sandbox. Classes are made for it, so it is made once for the same nouns. */
function resolversOf(nouns: Nouns<object>): readonly ServedResolver[] {
  const earlier = resolversOfNouns.get(nouns);
  if (earlier) return earlier;
  const nodes = (of: Services) => new NodeResolver(nodesOf(nouns, of));
  const made = [
    { of: NodeResolver, make: nodes },
    ...nouns.all.flatMap(({ resolvers = [], isOfSandbox }) => resolvers.map(one => ({ ...one, isOfSandbox }))),
    ...nouns.all
      .flatMap(({ belongToAccount = [] }) => belongToAccount)
      .map(Type => {
        const Link = accountLinkOf(Type);
        return resolver(Link, 'accounts');
      }),
    ...nouns.all
      .flatMap(({ nodeLinks = [] }) => nodeLinks)
      .map(link => {
        const Link = nodeLinkResolver(link);
        return { of: Link, make: (of: Services) => new Link(nodes(of)) };
      }),
  ];
  resolversOfNouns.set(nouns, made);
  return made;
}

function listedCodes(codes: readonly ProblemCode[]): string {
  return listed(codes.map(graphqlCode));
}

function listed(words: readonly string[]): string {
  return words.map(word => `\`${word}\``).join(', ');
}

/** The descriptions that hold everywhere, so that fields need not repeat them. Type-GraphQL has no place for it. */
const ABOUT: Readonly<Record<string, string>> = {
  schema: `Accounts of a bank with their owners, beneficiaries, transactions, statements and cards.

Each request has an access token (\`Authorization: Bearer\`) of one program, which sees only that program's accounts, or only those of one
customer. What a caller may not see is treated as if it did not exist. An agent sees e-mail addresses, telephone numbers and postal
addresses of people masked.

A refusal is an error with a stable \`extensions.code\`; \`extensions.errors\` lists every wrong value with \`pointer\` (from the arguments
of the field, such as \`/input/patch/sharePercentage\`), \`code\` and \`detail\`. A field that is refused is null and has an error, and the others are
answered; a malformed request is refused before anything runs. Every field can be refused with
${listedCodes(CODES_OF_EVERY_FIELD)}, and with what its \`@refuses\` names.

The scopes ${listed([...PROGRAM_WIDE])} need a token that is not bound to one customer; \`operations\` includes
${listed([...INCLUDING_SCOPES.keys()])}, and \`operations.read\` includes \`requests.read\`.

Null means that there is none or that none is known, where a description says nothing else. Ids that the bank chooses have 1 to 64 visible ASCII characters, and are not \`.\` or \`..\`. Those
of customers, and those that the gateway assigns, are UUIDs (RFC 9562) in lower case, such as \`7c0d5b1e-93a4-4f0e-9d0e-2f5b0f3c6a11\`.`,
  Query: `The reads of the gateway.

A list comes page by page: \`first\` elements after the cursor \`after\`, or \`last\` elements before the cursor \`before\`, always in the order
of the list. Cursors are opaque, and valid for their list.`,
  Mutation: `The writes of the gateway. Each field is executed completely or not at all, and records an event. It takes one \`input\`, which
names a record by its \`id\` or by the other ids, and returns a payload with the record. \`replayed\` says that it was done before.

With an \`X-Idempotency-Key\`, such as \`4be0c1a2\`, a retry gets the first response and changes nothing. Each of several fields has a key of
its own, by its position among the mutation fields of the document, whatever its alias, \`@skip\` and \`@include\`. Every field can also be refused with
${listedCodes(CODES_OF_EVERY_MUTATION)}. A refusal with \`RULE_BROKEN\` does not use the key.

An input that ends in \`Patch\` is a JSON merge patch (RFC 7396): an absent field stays as it is, null clears an optional one, and a list is
replaced. With \`expectedVersion\` a record is changed only in that \`version\`. With \`dryRun\` everything is checked and answered alike, and
nothing is written.

What an agent asks for always waits, whatever the program's rules: it states its reason in the header \`Agent-Reason\`, and is refused with
\`NOT_FOR_AGENTS\` where a field cannot wait.

A field that is refused with \`APPROVAL_REQUIRED\` waits until another person approves it: the error has \`extensions.approvalId\`. Send the
operation again with the same key to get the result then.`,
  Subscription: `The changes as they happen, from now on. A client that subscribes again with the last \`cursor\` as \`after\` misses nothing and
gets nothing twice. An operation has one field.

An error that ends a subscription says by \`extensions.code\` why, and by \`extensions.cursor\` where to go on.`,
};

/**
 * The GraphQL schema of nouns, as production serves it or with the sandbox. `instanceOf` gives the instance of a
 * resolver class; printing the schema needs none.
 */
export function buildGraphqlSchema(
  instanceOf: (resolver: unknown) => object = () => ({}),
  hasSandbox = false,
  nouns: Nouns<object> = NOUNS,
): GraphQLSchema {
  const served = resolversOf(nouns).filter(({ isOfSandbox = false }) => hasSandbox || !isOfSandbox);
  const schema = buildSchemaSync({
    resolvers: served.map(({ of }) => of) as [ClassType, ...ClassType[]],
    container: { get: instanceOf },
    pubSub: feedPubSub(instanceOf),
    validateFn: validateArgument,
    scalarsMap: SCALARS_OF_CLASSES,
    directives: directivesOf(nouns.problems(hasSandbox)),
    // Apollo Server checks the schema when it starts.
    skipCheck: true,
  });
  removeFieldsOfOthers(schema, new Set(served.map(({ of }) => of)));
  bindNodeIds(schema);
  bindNames(schema);
  bindErrorCodes(schema);
  orderArguments(schema);
  schema.description = ABOUT.schema;
  for (const type of [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]) {
    if (type) type.description = ABOUT[type.name];
  }
  return schema;
}

/**
 * Takes away the fields that resolvers of other nouns add to types. Type-GraphQL keeps a field that it has once collected
 * of a resolver, so a schema would have those of each schema that was built in the same process before.
 */
function removeFieldsOfOthers(schema: GraphQLSchema, served: ReadonlySet<unknown>): void {
  const { fieldResolvers, objectTypes } = getMetadataStorage();
  const added = fieldResolvers.flatMap(({ kind, target, getObjectType, schemaName }) => {
    const { name } = (kind === 'external' && objectTypes.find(type => type.target === getObjectType?.())) || {};
    return name === undefined ? [] : { target, name, field: schemaName };
  });
  const own = new Set(added.filter(({ target }) => served.has(target)).map(({ name, field }) => `${name}.${field}`));
  for (const { name, field } of added) {
    const type = schema.getType(name);
    if (isObjectType(type) && !own.has(`${name}.${field}`)) delete type.getFields()[field];
  }
}

/** The GraphQL schema over a bank's data. */
export function schemaOf(
  container: Container,
  {
    sandbox,
    graphql: { federation, federationAuthorization: authorization, introspection },
  }: {
    readonly sandbox: boolean;
    readonly graphql: Pick<GraphqlSettings, 'federation' | 'federationAuthorization' | 'introspection'>;
  },
): GraphQLSchema {
  const { nouns } = container;
  const schema = buildGraphqlSchema(instancesOver(container), sandbox, nouns);
  return federation ? asSubgraph(schema, nodesOf(nouns, container), { introspection, authorization }) : schema;
}

/** Each class has one instance, made when it is first asked for. */
function instancesOver({ nouns, ...services }: Container): (resolver: unknown) => object {
  const middlewares = nouns.all.flatMap(noun => noun.middlewares ?? []);
  const makers = new Map<unknown, ResolverOf<never>['make']>(
    [...resolversOf(nouns), ...middlewares].map(({ of, make }) => [of, make]),
  );
  const instances = new Map<unknown, object>();
  return of => {
    const instance = instances.get(of) ?? makers.get(of)?.(services as never);
    if (!instance) throw new Error('a resolver is in the schema and in no noun');
    instances.set(of, instance);
    return instance;
  };
}

/** The readers of each type of records with an id by the parts of its key: by the same services as its other fields. */
function nodesOf(nouns: Nouns<object>, services: Services): Readonly<Record<string, LoadNode>> {
  return Object.assign({}, ...nouns.all.map(({ nodes }) => nodes?.(services as never))) as Record<string, LoadNode>;
}
