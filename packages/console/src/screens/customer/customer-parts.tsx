import type { ComponentChildren } from 'preact';
import type { Query } from '../../client/query.js';
import type { ConsoleCustomerPartsQuery } from '../../generated/graphql.js';
import { hrefOf } from '../../router.js';
import { Card } from '../../ui/card.js';
import { Money } from '../../ui/money.js';
import { Answer, Empty } from '../../ui/states.js';
import { Status } from '../../ui/status.js';
import { RowLink, Table } from '../../ui/table.js';
import { Day, Time } from '../../ui/time.js';
import { words } from '../../ui/words.js';
import { pathOf } from '../account/account-of.js';
import { LimitFacts, hasLimits } from '../account/transfer-limits.js';

/** Cards, documents and limits are those of so many accounts, which is more than people have. */
export const MAX_ACCOUNTS = 20;

type Part = NonNullable<ConsoleCustomerPartsQuery['accounts']>['nodes'][number];

interface PartsProps {
  readonly parts: Query<ConsoleCustomerPartsQuery>;
}

interface AccountsOfProps extends PartsProps {
  readonly children: (accounts: readonly Part[]) => ComponentChildren;
}

function AccountsOf({ parts, children }: AccountsOfProps) {
  return (
    <Answer of={parts} lines={3}>
      {({ accounts }) => (
        <>
          {children(accounts?.nodes ?? [])}
          {(accounts?.totalCount ?? 0) > MAX_ACCOUNTS && <p class="list-foot">Of the first {MAX_ACCOUNTS} accounts.</p>}
        </>
      )}
    </Answer>
  );
}

/** The cards that the customer holds. */
export function CustomerCards({ customerId, parts }: PartsProps & { readonly customerId: string }) {
  return (
    <Card title="Cards" isFlush>
      <AccountsOf parts={parts}>
        {accounts => {
          const cards = accounts.flatMap(({ cards: ofAccount }) => ofAccount ?? []);
          const held = cards.filter(({ cardHolderId }) => cardHolderId === customerId);
          return held.length > 0 ? (
            <Table
              caption="Cards"
              rows={held}
              keyOf={({ accountId, cardId }) => `${accountId} ${cardId}`}
              columns={[
                {
                  label: 'Card',
                  narrow: 'lead',
                  cell: ({ accountId, cardId, last4 }) => (
                    <RowLink href={hrefOf(pathOf(accountId, 'cards', cardId))}>•••• {last4}</RowLink>
                  ),
                },
                { label: 'Status', narrow: 'side', cell: ({ status }) => <Status value={status} /> },
                {
                  label: 'Kind',
                  narrow: 'bare',
                  cell: ({ type, cardProductId }) => `${words(type)}, ${cardProductId}`,
                },
                { label: 'Account', cell: ({ accountId }) => accountId },
                {
                  label: 'Expires',
                  isEnd: true,
                  cell: ({ expiration }) => `${expiration.slice(0, 2)}/20${expiration.slice(2)}`,
                },
              ]}
            />
          ) : (
            <Empty title="No cards">No card of these accounts is in this name.</Empty>
          );
        }}
      </AccountsOf>
    </Card>
  );
}

/** The number of transactions that are shown. */
const MOVEMENTS = 5;

/** The last transactions of the customer's accounts, as the customer tells of them on the telephone. */
export function CustomerMovements({ parts }: PartsProps) {
  return (
    <Card title="Last movements" isFlush>
      <AccountsOf parts={parts}>
        {accounts => {
          const moved = accounts.flatMap(({ timeZone, transactions }) =>
            (transactions?.nodes ?? []).map(transaction => ({ ...transaction, timeZone })),
          );
          const last = moved.toSorted((one, other) => (timeOf(one) < timeOf(other) ? 1 : -1)).slice(0, MOVEMENTS);
          return last.length > 0 ? (
            <Table
              caption="Last movements"
              rows={last}
              keyOf={({ accountId, transactionId }) => `${accountId} ${transactionId}`}
              columns={[
                { label: 'When', narrow: 'bare', cell: one => <Time at={timeOf(one)} zone={one.timeZone} /> },
                {
                  label: 'Description',
                  narrow: 'lead',
                  cell: ({ accountId, transactionId, description, transactionType }) => (
                    <RowLink href={hrefOf(pathOf(accountId, 'history', transactionId))}>
                      {description ?? words(transactionType)}
                    </RowLink>
                  ),
                },
                { label: 'Account', narrow: 'bare', cell: ({ accountId }) => accountId },
                {
                  label: 'Amount',
                  narrow: 'side',
                  isEnd: true,
                  cell: ({ amount, currency, direction }) => <Money {...{ amount, currency, direction }} />,
                },
              ]}
            />
          ) : (
            <Empty title="No movements">Nothing was posted to these accounts yet.</Empty>
          );
        }}
      </AccountsOf>
    </Card>
  );
}

function timeOf({ postedAt, transactedAt }: { readonly postedAt?: string | null; readonly transactedAt: string }) {
  return postedAt ?? transactedAt;
}

/** The latest documents of the customer's accounts. */
export function CustomerDocuments({ parts }: PartsProps) {
  return (
    <Card title="Latest documents" isFlush>
      <AccountsOf parts={parts}>
        {accounts => {
          const documents = accounts
            .flatMap(({ statements }) => statements?.nodes ?? [])
            .toSorted((one, other) => (one.statementDate < other.statementDate ? 1 : -1));
          return documents.length > 0 ? (
            <Table
              caption="Latest documents"
              rows={documents}
              keyOf={({ accountId, statementId }) => `${accountId} ${statementId}`}
              columns={[
                {
                  label: 'Period',
                  narrow: 'lead',
                  cell: ({ accountId, statementId, statementDate }) => (
                    <RowLink href={hrefOf(pathOf(accountId, 'documents', statementId))}>
                      <Day on={statementDate} />
                    </RowLink>
                  ),
                },
                { label: 'Document', narrow: 'bare', cell: document => words(document.documentType) },
                { label: 'Account', narrow: 'side', isEnd: true, cell: ({ accountId }) => accountId },
              ]}
            />
          ) : (
            <Empty title="No documents">None was issued for these accounts.</Empty>
          );
        }}
      </AccountsOf>
    </Card>
  );
}

/** Shows the limits of transfers from the customer's accounts. */
export function CustomerLimits({ parts }: PartsProps) {
  return (
    <Card title="Limits">
      <AccountsOf parts={parts}>
        {accounts => {
          const limited = accounts.filter(({ transferLimits }) => transferLimits && hasLimits(transferLimits));
          if (limited.length === 0) return <p class="soft">Nothing limits transfers from these accounts.</p>;
          return limited.map(({ accountId, currency, transferLimits }) => (
            <section key={accountId}>
              <h3>
                <a href={hrefOf(pathOf(accountId))}>{accountId}</a>
              </h3>
              {transferLimits && <LimitFacts limits={transferLimits} currency={currency} />}
            </section>
          ));
        }}
      </AccountsOf>
    </Card>
  );
}
