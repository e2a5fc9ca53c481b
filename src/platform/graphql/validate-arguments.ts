import { OperationTypeNode, getNamedType } from 'graphql';
import type { ValidatorFn } from 'type-graphql';
import { inputClassOf } from '../input/input.js';
import { brokenRules, readCoerced, refuseIfBad } from '../input/read-input.js';

/**
 * Checks an argument by the rules of its input classes, for Type-GraphQL's `validateFn`. It is called for each argument
 * that a method takes, once Type-GraphQL has made the argument an instance of its class. Empty texts of mutations that
 * mean null are changed in that instance. Throws `InvalidInput`, whose pointers start at the arguments of the field.
 */
export const validateArgument: ValidatorFn = (value, type, { info }) => {
  if (value === null || typeof value !== 'object') return;
  const { args } = info.parentType.getFields()[info.fieldName] ?? { args: [] };
  // Type-GraphQL says the class of the argument and not its name; `@Args` classes have no argument of their own.
  const argument = args.find(candidate => inputClassOf(getNamedType(candidate.type)) === type);
  const isMutation = info.operation.operation === OperationTypeNode.MUTATION;
  if (argument) Object.assign(value, readCoerced(argument.type, value, `/${argument.name}`, isMutation));
  else refuseIfBad({ misshapen: [], broken: brokenRules(value, '') });
};
