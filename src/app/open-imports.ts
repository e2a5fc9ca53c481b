import { ImportService } from '../import/import.service.js';
import type { Denial } from '../platform/command/denial.js';
import type { ForeignIds } from '../platform/command/foreign-ids.js';
import type { ProgramCommands } from '../platform/command/program-commands.js';
import { IMPORTS, type ImportServices } from './imports.js';

/** The imports of the API. */
export function openImports(
  services: ImportServices,
  commands: ProgramCommands,
  foreignIds: ForeignIds,
  deny: (denial: Denial) => void,
): ImportService {
  return new ImportService(commands, name => IMPORTS[name](services, true), foreignIds, deny);
}
