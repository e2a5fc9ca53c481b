import { isInputObjectType, isListType, isNonNullType, type GraphQLInputType } from 'graphql';
import { inputClassOf } from './input.js';
import { brokenRules, refuseIfBad } from './read-input.js';

/** Gives a value of a GraphQL argument, coerced already, in its input classes, and shares whatever has none. */
type Instances = (value: unknown) => unknown;

const asItIs: Instances = value => value;
const known = new Map<GraphQLInputType, Instances>();

/** Takes what GraphQL coerced to a type, and gives it in its input classes. Throws `InvalidInput` where a rule is broken. */
export function instancesOf(type: GraphQLInputType): Instances {
  const instances = nullable(type);
  if (instances === asItIs) return asItIs;
  return value => {
    const made = instances(value);
    refuseIfBad({ misshapen: [], broken: brokenRules(made, '') });
    return made;
  };
}

function nullable(type: GraphQLInputType): Instances {
  if (isNonNullType(type)) return nullable(type.ofType);
  let instances = known.get(type);
  if (!instances) {
    instances = isListType(type) ? ofList(type.ofType) : ofNamed(type);
    known.set(type, instances);
  }
  return instances;
}

function ofList(type: GraphQLInputType): Instances {
  const inner = nullable(type);
  return inner === asItIs ? asItIs : value => (Array.isArray(value) ? value.map(inner) : value);
}

function ofNamed(type: GraphQLInputType): Instances {
  const target = inputClassOf(type);
  if (!target || !isInputObjectType(type)) return asItIs;
  // A type may contain itself, so its fields are looked at when the first value comes.
  let fields: { name: string; instances: Instances }[] | undefined;
  return value => {
    if (value === undefined || value === null) return value;
    fields ??= Object.values(type.getFields()).map(field => ({ name: field.name, instances: nullable(field.type) }));
    const given = value as Record<string, unknown>;
    const made = new target() as Record<string, unknown>;
    for (const { name, instances } of fields) {
      if (given[name] !== undefined) made[name] = instances(given[name]);
    }
    return made;
  };
}
