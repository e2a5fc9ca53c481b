import {
  typeFromAST,
  isInputType,
  getNullableType,
  isInputObjectType,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { refuseIfBad } from '../input/read-input.js';
import { shaperOf, type Findings } from '../input/shape.js';
import type { Variables } from './argument-values.js';

/** Throws `InvalidInput`, which names every bad value. */
export type CheckVariables = (variables: Variables) => void;

/**
 * Holds an operation's variables against their types and the rules of the input classes, all at once and before anything
 * runs. graphql-js would do so as well, but says it one sentence a field, repeats the values, and knows no rules.
 * The pointer of a problem starts at the variable's own object, as it does in a REST body; other variables are named.
 */
export function variableCheck(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
): CheckVariables {
  const checks = variableDefinitions.flatMap(({ variable, type: typeNode, defaultValue }) => {
    const type = typeFromAST(schema, typeNode);
    if (!type || !isInputType(type)) return [];
    const name = variable.name.value;
    const pointer = isInputObjectType(getNullableType(type)) ? '' : `/${name}`;
    return [{ name, pointer, hasDefault: defaultValue !== undefined, shaper: shaperOf(type) }];
  });
  return variables => {
    const findings: Findings = { misshapen: [], broken: [], singleIsList: true };
    for (const { name, pointer, hasDefault, shaper } of checks) {
      const value = variables[name];
      if (value !== undefined || !hasDefault) shaper(value, pointer, findings);
    }
    refuseIfBad(findings);
  };
}
