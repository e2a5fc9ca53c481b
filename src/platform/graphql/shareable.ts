import { Extensions } from 'type-graphql';

/** Declares that other subgraphs may have this type as well: a value without an id of its own. */
export function Shareable(): ClassDecorator {
  return Extensions({ shareable: true });
}
