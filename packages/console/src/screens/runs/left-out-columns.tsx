import type { ConsoleLeftOutQuery } from '../../generated/graphql.js';
import { hrefOf } from '../../router.js';
import { RowLink, type Column } from '../../ui/table.js';
import { REASONS } from './run-words.js';

/** An account that gets no document. */
export type LeftOut = NonNullable<
  NonNullable<NonNullable<ConsoleLeftOutQuery['statementRun']>['leftOut']>['nodes']
>[number];

/** Accounts that get no document, each with its reasons. */
export const LEFT_OUT_COLUMNS: readonly Column<LeftOut>[] = [
  {
    label: 'Account',
    narrow: 'lead',
    cell: ({ accountId }) => <RowLink href={hrefOf(`/accounts/${encodeURIComponent(accountId)}`)}>{accountId}</RowLink>,
  },
  {
    label: 'Reasons',
    narrow: 'bare',
    cell: ({ reasons }) => (
      <ul class="bare-list">
        {reasons.map(reason => (
          <li key={reason}>{REASONS[reason]}</li>
        ))}
      </ul>
    ),
  },
];
