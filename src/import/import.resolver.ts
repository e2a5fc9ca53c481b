import { Arg, Mutation, Resolver } from 'type-graphql';
import { Writer, atPointer } from '../platform/graphql/context.js';
import { DRY_RUN } from '../platform/graphql/dry-run.js';
import type { Caller } from '../shared/caller.js';
import { ImportResult } from './import.entity.js';
import type { ImportName } from './import.names.js';
import { ImportInput } from './import.inputs.js';
import type { ImportService } from './import.service.js';
import { IMPORT_RECORDS } from './import.operations.js';
import { Performs } from '../platform/graphql/performs.js';

@Resolver()
export class ImportResolver {
  constructor(private readonly service: ImportService) {}

  @Performs(IMPORT_RECORDS)
  @Mutation(() => ImportResult, {
    nullable: true,
    description: 'Imports lines in one transaction; wrong ones are rejected.',
  })
  importRecords(
    @Writer() caller: Caller,
    @Arg('input', () => ImportInput)
    { kind, lines, firstLine }: ImportInput,
    @Arg('dryRun', () => Boolean, DRY_RUN) dryRun: boolean,
  ): Promise<ImportResult> {
    const order = { kind: kind.toLowerCase() as ImportName, lines, firstLine: firstLine ?? 1 };
    return atPointer('/input', this.service.import(caller, order, dryRun));
  }
}
