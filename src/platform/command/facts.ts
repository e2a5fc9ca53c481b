import type { Asking } from '../database/transaction.js';
import type { Asked, Kind } from './command.js';

type OfKind<Subject> = Asked<unknown> & { readonly kind: Kind<Subject> };

/** What decides beside the accounts, read for all commands of a kind together. */
export async function factsOf<Subject>(transaction: Asking, commands: readonly OfKind<Subject>[]): Promise<unknown[]> {
  const kinds = [...Map.groupBy(commands.keys(), index => (commands[index] as OfKind<Subject>).kind)];
  const facts: unknown[] = [];
  await Promise.all(
    kinds.map(async ([{ work }, indices]) => {
      const known = await work.know?.(
        transaction,
        indices.map(index => commands[index] as OfKind<Subject>),
      );
      known?.forEach((fact, place) => (facts[indices[place] as number] = fact));
    }),
  );
  return facts;
}
