import type { Container } from './container.js';
import { loadDemoData } from '../../packages/sandbox/src/demo/load-demo-data.js';
import { commandLine } from './imports.js';
import type { Logger } from '../platform/logging/logger.js';
import { enqueueRun } from '../bank/statement/issue/issue-run.js';

/** Loads the demo data that is missing, through the services of the bank. */
export function loadDemo(container: Container, log: Logger): Promise<void> {
  return loadDemoData({
    database: container.database,
    log,
    now: new Date(),
    order: (transaction, run) =>
      enqueueRun(transaction, container.issuers, { ...run, issueIncomplete: false, startedBy: 'GATEWAY' }),
    importOf: name => container.importKind(name),
    importer: program => commandLine(program, 'import'),
    createCard: (caller, card) => container.cards.create(caller, card.accountId, card),
  });
}
