import type { StatementSender } from '../database/transaction.js';
import type { CommandRequest, Kind } from './command.js';

type RequestOfKind<Subject> = CommandRequest<unknown> & { readonly kind: Kind<Subject> };

/** Reads what decides beside the accounts, for all commands of a kind together. */
export async function factsOf<Subject>(
  transaction: StatementSender,
  commands: readonly RequestOfKind<Subject>[],
): Promise<unknown[]> {
  const kinds = [...Map.groupBy(commands.keys(), index => (commands[index] as RequestOfKind<Subject>).kind)];
  const facts: unknown[] = [];
  await Promise.all(
    kinds.map(async ([{ work }, indices]) => {
      const factsOfKind = await work.readFacts?.(
        transaction,
        indices.map(index => commands[index] as RequestOfKind<Subject>),
      );
      factsOfKind?.forEach((fact, place) => (facts[indices[place] as number] = fact));
    }),
  );
  return facts;
}
