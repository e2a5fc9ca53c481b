import 'reflect-metadata';
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import {
  buildSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  print,
  type GraphQLEnumType,
  type GraphQLSchema,
  type GraphQLType,
} from 'graphql';
import { NOUNS } from '../../src/app/nouns.js';
import { buildGraphqlSchema } from '../../src/app/schema.js';
import { documentOf } from '../../src/platform/graphql/directives.js';
import { operationOf } from '../../src/platform/graphql/performs.js';
import { surfacesOf } from '../../src/shared/problems.js';

/** A place of the schema that a client's developer reads about. */
interface Place {
  readonly name: string;
  readonly description: string;
  /** The type of what is there, if it has one. */
  readonly type?: GraphQLType;
  readonly isDeprecated: boolean;
}

interface Described {
  readonly description?: string | null;
  readonly type?: GraphQLType;
  readonly deprecationReason?: string | null;
}

/** Words that begin a fragment: a hover shows it without the name that it would go on from. */
const HANGING =
  /^(What|Who|Whom|Whose|Which|How|Whether|When|Where|Why|Of|In|On|At|By|With|Without|For|From|To|Until|Since|Under|Over|Before|After|Between|Within|Behind|Through|Per|As|About|Above|Below|Up|Than|Such|Like|Not|Only|But|And|Or|If|Together|Also|Cannot|Is|Was|Can)\b/;

/** The type whose values have a form that nobody knows without an example; scalars of the gateway give theirs. */
const FORMED = 'ID';
/** Ids whose form the description of the schema shows. */
const ASSIGNED =
  /(approval|beneficiary|customer|delivery|endpoint|filing|note|previousFiling|previousRun|revocation|run|session)Ids?$|\.owners$/;
/** Names of texts that have a form all the same. */
const FORMED_TEXT =
  /\b(after|before|\w*[cC]ursor|(start|end)Time|taxId|governmentId|number|expiration|last4|pin|cvv|search|category|transactionType|postalCode|email|sha256|hash|downloadPath|action|object|requestId|key)$/;

function placesOf(schema: GraphQLSchema): Place[] {
  const places: Place[] = [];
  const add = (name: string, of: Described): void =>
    void places.push({
      name,
      description: of.description ?? '',
      isDeprecated: of.deprecationReason != null,
      ...(of.type && { type: of.type }),
    });
  add('schema', schema);
  for (const directive of schema.getDirectives()) {
    add(`@${directive.name}`, directive);
    for (const argument of directive.args) add(`@${directive.name}(${argument.name})`, argument);
  }
  for (const type of Object.values(schema.getTypeMap()).filter(found => !isIntrospectionType(found))) {
    add(type.name, { description: type.description });
    if (isEnumType(type)) for (const value of type.getValues()) add(`${type.name}.${value.name}`, value);
    if (isInputObjectType(type)) {
      for (const field of Object.values(type.getFields())) add(`${type.name}.${field.name}`, field);
    }
    if (isObjectType(type) || isInterfaceType(type)) {
      for (const field of Object.values(type.getFields())) {
        add(`${type.name}.${field.name}`, field);
        for (const argument of field.args) add(`${type.name}.${field.name}.${argument.name}`, argument);
      }
    }
  }
  return places;
}

/**
 * Places that nothing describes: neither words of their own, nor their type where that is an input, nor the reason of a
 * deprecation.
 */
function missingIn(schema: GraphQLSchema): string[] {
  return placesOf(schema)
    .filter(({ description, isDeprecated }) => description.trim() === '' && !isDeprecated)
    .filter(({ type }) => !(type && isInputObjectType(getNamedType(type))))
    .map(({ name }) => name);
}

/** The name of a field or an argument without what it belongs to. */
const lastOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

/** Names that mean one thing wherever they are, and have the same words everywhere. */
const OF_ONE_MEANING = new Set(
  `accountId account beneficiaryId endpointId cardId approvalId id reference reason customerIds addresses emails phones
  first after last before filter edges nodes pageInfo limit totalCount cursor node expectedVersion version dryRun patch
  replayed updatedAt metadata`.split(/\s+/),
);

const FILLERS = new Set(
  'a an and the of in is are was it its this that these what which who how to for by one kind value identifies'.split(
    ' ',
  ),
);

const wordsOf = (text: string): string[] =>
  text
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .map(word => word.replace(/s$/, ''));

/** Whether a description says nothing that the name of the place and of what it is in do not say. */
function repeatsName({ name, description }: Pick<Place, 'name' | 'description'>): boolean {
  const known = new Set([...wordsOf(name), ...[...FILLERS].map(word => word.replace(/s$/, ''))]);
  return wordsOf(description).every(word => known.has(word));
}

/** What a description gives as examples: such as `2026-03-31` or `2026-03-31T12:00:00Z`. */
function examplesIn(description: string): string[] {
  const [, list = ''] = /[Ss]uch as (`[^`]+`(?:(?:, | or )`[^`]+`)*)/.exec(description) ?? [];
  return [...list.matchAll(/`([^`]+)`/g)].map(([, example = '']) => example);
}

// With the sandbox, which adds to what production serves.
const schema = buildGraphqlSchema(undefined, true);
const places = placesOf(schema);
const own = places.filter(
  ({ name, description }) =>
    description !== '' && !name.startsWith('@') && !['Boolean', 'Float', 'ID', 'Int', 'String'].includes(name),
);

describe('the schema', () => {
  test('describes every type, field, argument, enum value and input field', () => {
    expect(places.length).toBeGreaterThan(300);
    expect(missingIn(schema)).toEqual([]);
  });

  test('would be found out if it did not', () => {
    const bare = buildSchema(`"A query." type Query { "A field." field(argument: Int, input: In): Kind }
      input In { given: Int } enum Kind { VALUE } directive @mark(with: Int) on FIELD`);
    const missing = missingIn(bare).filter(name => !name.startsWith('@') || name.startsWith('@mark'));
    expect(missing.sort()).toEqual(
      ['@mark', '@mark(with)', 'In', 'In.given', 'Kind', 'Kind.VALUE', 'Query.field.argument', 'schema'].sort(),
    );
  });

  test('says nothing word by word more than three times, but of names that mean one thing everywhere', () => {
    // The sandbox has four inputs whose fields are the same.
    const served = placesOf(buildGraphqlSchema()).filter(({ description }) => description !== '');
    // The record of a payload has the words of its kind.
    const others = served.filter(({ name }) => !OF_ONE_MEANING.has(lastOf(name)) && !/Payload\.\w+$/.test(name));
    const byWords = Map.groupBy(others, ({ description }) => description);
    const repeated = [...byWords].filter(([, found]) => found.length > 3).map(([words]) => words);
    expect(repeated).toEqual([]);
  });

  test('never says only what the name says', () => {
    expect(repeatsName({ name: 'Card.cardId', description: 'Identifies the card.' })).toBe(true);
    expect(own.filter(repeatsName)).toEqual([]);
  });

  test('describes in sentences that stand alone: a noun or a verb first, and a full stop at the end', () => {
    const unfit = own.filter(({ description }) => !/^[A-Z].*[.)]$/s.test(description) || HANGING.test(description));
    expect(unfit.map(({ name, description }) => `${name}: ${description}`)).toEqual([]);
    expect(
      ['Of the PDF.', 'How many there are.', 'In the order they were added.'].every(text => HANGING.test(text)),
    ).toBe(true);
  });

  test('shows by an example whatever has a form of its own', () => {
    const formed = own.filter(
      ({ name, type, isDeprecated }) =>
        type &&
        // What is to be used in its place shows it.
        !isDeprecated &&
        ((getNamedType(type).name === FORMED && !ASSIGNED.test(name) && !name.endsWith('Input.id')) ||
          (getNamedType(type).name === 'String' && FORMED_TEXT.test(name))),
    );
    expect(formed.length).toBeGreaterThan(80);
    expect(formed.filter(({ description }) => examplesIn(description).length === 0).map(({ name }) => name)).toEqual(
      [],
    );
  });

  test('has examples that are what they are examples of', () => {
    const wrong = own.flatMap(({ name, description, type }) => {
      const named = type ? getNamedType(type) : schema.getType(name);
      if (!isScalarType(named) || isSpecifiedScalarType(named)) return [];
      return examplesIn(description).filter(example => {
        try {
          named.parseValue(example.startsWith('{') ? JSON.parse(example) : example);
          return false;
        } catch {
          return true;
        }
      });
    });
    expect(wrong).toEqual([]);
  });

  test('says of every mutation which scopes it takes and with which codes it refuses', () => {
    const printed = print(documentOf(schema));
    const mutations = Object.values(schema.getMutationType()?.getFields() ?? {});
    expect(mutations.length).toBeGreaterThan(10);
    expect(mutations.filter(field => !operationOf(field)?.scopes.length).map(({ name }) => name)).toEqual([]);
    expect(printed).toMatch(
      /closeAccount\([^@]*\): CloseAccountPayload @semanticNonNull @requiresScopes\(scopes: \[\["operations"\]\]\) @refuses\(codes: \[ACCOUNT_NOT_FOUND, PRECONDITION_FAILED, ACCOUNT_NOT_EMPTY, ACCOUNT_HAS_HOLDS, ACCOUNT_CLOSED\], mayWait: true\)\n/,
    );
    expect(printed).toContain('@requiresScopes(scopes: [["operations.read"], ["operations"]])');
    expect(printed).toContain('  viewer: Viewer @authenticated\n');
  });

  test('names codes as GraphQL has them, each with what it means', () => {
    const ofRest = own.filter(({ description }) =>
      [...description.matchAll(/`([a-z]+_[a-z_]+)`/g)].some(([, code = '']) => code in NOUNS.problems(true)),
    );
    expect(ofRest.map(({ name }) => name)).toEqual([]);
    const codes = schema.getType('ErrorCode') as GraphQLEnumType;
    const ofGraphql = Object.keys(NOUNS.problems(true)).filter(code => surfacesOf(code).includes('GraphQL'));
    expect(codes.getValues().map(({ name }) => name)).toEqual(ofGraphql.map(code => code.toUpperCase()));
    expect(codes.getValue('ACCOUNT_NOT_FOUND')?.description).toBe(NOUNS.problems(true)['account_not_found']?.[1]);
  });

  test('links the specification of each scalar that has one', () => {
    const scalars = Object.values(schema.getTypeMap()).filter(
      type => isScalarType(type) && !isSpecifiedScalarType(type),
    );
    const without = scalars.filter(type => isScalarType(type) && !type.specifiedByURL).map(({ name }) => name);
    expect(without).toEqual([]);
  });
});

test('schema.graphql is as short as the cookbook says', async () => {
  const of = (name: string) => readFile(new URL(`../../${name}`, import.meta.url), 'utf8');
  const [, kilobytes = ''] = /`schema.graphql` has less than (\d+) kB/.exec(await of('docs/cookbook.md')) ?? [];
  expect(Buffer.byteLength(await of('schema.graphql'))).toBeLessThan(Number(kilobytes) * 1000);
});
