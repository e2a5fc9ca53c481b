import { isInputType, typeFromAST, type DocumentNode, type GraphQLSchema, type OperationDefinitionNode } from 'graphql';
import { refuseIfBad } from '../input/read-input.js';
import { shaperOf, type Findings } from '../input/shape.js';
import { placesOfVariables } from './argument-uses.js';
import { variableValue, type Variables } from './argument-values.js';

/** Throws `InvalidInput`, which names every bad value. */
export type CheckVariables = (variables: Variables) => void;

/**
 * Holds an operation's variables against their types before anything runs: graphql-js would do so as well, but says it one sentence a field, and
 * repeats the values. A rule that a value of the right shape breaks is told at the field that is given the value, as it may come by a literal
 * as well (`readCoerced`); it is told here beside what is malformed, so that all that is wrong is told at once.
 */
export function variableCheck(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): CheckVariables {
  const places = placesOfVariables(document, operation);
  const checks = (operation.variableDefinitions ?? []).flatMap(({ variable, type: typeNode, defaultValue }) => {
    const type = typeFromAST(schema, typeNode);
    const name = variable.name.value;
    const place = places.get(name);
    if (!type || !isInputType(type) || place === undefined) return [];
    return [{ name, place, hasDefault: defaultValue !== undefined, shaper: shaperOf(type) }];
  });
  return variables => {
    const findings: Findings = { misshapen: [], broken: [], from: 'variable' };
    for (const { name, place, hasDefault, shaper } of checks) {
      const value = variableValue(variables, name);
      if (value !== undefined || !hasDefault) shaper(value, place, findings);
    }
    if (findings.misshapen.length > 0) refuseIfBad(findings);
  };
}
