import { Arg, Ctx, Extensions, Mutation, Query, Resolver } from 'type-graphql';
import { Writer, atPointer, type Context } from '../../platform/graphql/context.js';
import { DRY_RUN } from '../../platform/graphql/dry-run.js';
import type { Caller } from '../../shared/caller.js';
import { ImportResult, ImportTable } from './import.entity.js';
import type { ImportName } from './import.names.js';
import { ImportInput, ImportTableInput } from './import.inputs.js';
import { orderOf, type ImportService } from './import.service.js';
import { IMPORT_RECORDS, READ_IMPORT_TABLE } from './import.operations.js';
import { Performs } from '../../platform/graphql/performs.js';

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
    { kind, ...lines }: ImportInput,
    @Arg('dryRun', () => Boolean, DRY_RUN) dryRun: boolean,
  ): Promise<ImportResult> {
    const order = orderOf(kind.toLowerCase() as ImportName, lines);
    return atPointer('/input', this.service.import(caller, order, dryRun));
  }

  /** Reading a text takes as long as a hundred records, however short the document that names it several times. */
  @Extensions({ cost: 100 })
  @Performs(READ_IMPORT_TABLE)
  @Query(() => ImportTable, {
    nullable: true,
    description: 'The reading of CSV before an import, with the fields that a map may name.',
  })
  importTable(
    @Arg('input', () => ImportTableInput) { kind, lines, headerLine = null, mapText = null }: ImportTableInput,
    @Ctx() { caller }: Context,
  ): Promise<ImportTable> {
    const name = kind.toLowerCase() as ImportName;
    return atPointer('/input', this.service.table(caller, { name, lines, headerLine, mapText }));
  }
}
