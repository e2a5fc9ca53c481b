import {
  typeFromAST,
  isInputType,
  getNullableType,
  isInputObjectType,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import type { FieldProblem } from '../../shared/errors.js';
import { holdAgainst, refuseIfBad } from '../input/read-input.js';

/**
 * Holds an operation's variables against their types and the rules of the input classes, all at once and before anything
 * runs. graphql-js would do so as well, but says it one sentence a field, repeats the values, and knows no rules.
 * The pointer of a problem starts at the variable's own object, as it does in a REST body; other variables are named.
 */
export function checkVariables(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  variables: Record<string, unknown>,
): void {
  const misshapen: FieldProblem[] = [];
  const broken: FieldProblem[] = [];
  for (const { variable, type: typeNode, defaultValue } of operation.variableDefinitions ?? []) {
    const type = typeFromAST(schema, typeNode);
    const name = variable.name.value;
    if (!type || !isInputType(type) || (variables[name] === undefined && defaultValue)) continue;
    const reading = holdAgainst(type, variables[name], isInputObjectType(getNullableType(type)) ? '' : `/${name}`);
    misshapen.push(...reading.misshapen);
    broken.push(...reading.broken);
  }
  refuseIfBad({ misshapen, broken });
}
