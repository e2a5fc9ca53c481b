import { Field } from 'type-graphql';
import { NotCleared } from '../input/rules.js';

/** Declares a field of an input that says yes or no, and no where it is absent. It cannot be null. */
export function Flag(description: string): PropertyDecorator {
  return (prototype, name) => {
    NotCleared()(prototype, name);
    Field(() => Boolean, { nullable: true, description })(prototype, name);
  };
}

/** Declares the field `dryRun` of the input of a mutation that can be tried. */
export function DryRun(): PropertyDecorator {
  return Flag('True to check everything and write nothing.');
}
