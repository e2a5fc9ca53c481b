import { Arg, Ctx, Extensions, Mutation, Query, Resolver } from 'type-graphql';
import { Writer, atPointer, type Context } from '../../platform/graphql/context.js';
import { payloadOf, type Payload } from '../../platform/graphql/payload.js';
import type { Caller } from '../../shared/caller.js';
import { ImportResult, ImportTable } from './import.entity.js';
import type { ImportName } from './import.names.js';
import { ImportRecordsInput, ImportTableInput } from './import.inputs.js';
import { orderOf, type ImportService } from './import.service.js';
import { IMPORT_RECORDS, READ_IMPORT_TABLE } from './import.operations.js';
import { Performs } from '../../platform/graphql/performs.js';

const ImportRecordsPayload = payloadOf<ImportResult>(
  'importRecords',
  'result',
  ImportResult,
  'The outcome of each line, and their counts.',
);

@Resolver()
export class ImportResolver {
  constructor(private readonly service: ImportService) {}

  @Performs(IMPORT_RECORDS)
  @Mutation(() => ImportRecordsPayload, {
    nullable: true,
    description: 'Imports lines in one transaction; wrong ones are rejected.',
  })
  async importRecords(
    @Writer() caller: Caller,
    @Arg('input', () => ImportRecordsInput) { kind, dryRun = false, ...lines }: ImportRecordsInput,
  ): Promise<Payload> {
    const order = orderOf(kind.toLowerCase() as ImportName, lines);
    const result = await atPointer('/input', this.service.import(caller, order, dryRun));
    return new ImportRecordsPayload(caller, result);
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
