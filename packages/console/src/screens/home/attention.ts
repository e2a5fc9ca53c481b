import type { ConsoleAttentionQuery, ConsoleFailedWebhooksQuery } from '../../generated/graphql.js';
import { hrefOf } from '../../router.js';
import { requestOf } from '../../ui/happened.js';
import type { useWho } from '../../ui/who.js';
import { counted, words } from '../../ui/words.js';
import { titleOf } from '../runs/run-words.js';

/** The code of a gateway that is made without the package that a document is about. */
export const NOT_OFFERED = 'PERSISTED_QUERY_NOT_FOUND';

/** Something that waits for a person. */
export interface AttentionItem {
  readonly key: string;
  /** The name of the item, such as `Close an account`. */
  readonly what: string;
  readonly detail: string;
  /** When it began. */
  readonly since: string;
  /** Where it can be put right. */
  readonly href: string;
  /** A status of the API, such as `WAITING`. */
  readonly status: string;
}

/** Names who did something. */
type Who = ReturnType<typeof useWho>;

/** All that waits, in the order of what is asked about it: decisions, then failures, the newest first. */
export function itemsOf(
  data: ConsoleAttentionQuery,
  failed: ConsoleFailedWebhooksQuery | undefined,
  who: Who,
): readonly AttentionItem[] {
  return [...approvals(data, who), ...(failed ? webhooks(failed) : []), ...runs(data), ...imports(data, who)];
}

/** The number of webhook deliveries that failed for good. */
export function failedDeliveries({ webhookEndpoints }: ConsoleFailedWebhooksQuery): number {
  return (webhookEndpoints?.nodes ?? []).reduce((sum, { deliveries }) => sum + (deliveries?.totalCount ?? 0), 0);
}

function approvals({ approvals: waiting }: ConsoleAttentionQuery, who: Who): AttentionItem[] {
  return (waiting?.nodes ?? []).map(approval => ({
    key: approval.approvalId,
    what: requestOf(approval.command),
    detail: `${approval.accountId ?? 'Program'}, asked by ${who(approval)}`,
    since: approval.requestedAt,
    href: hrefOf(`/approvals/${approval.approvalId}`),
    status: 'WAITING',
  }));
}

function webhooks({ webhookEndpoints }: ConsoleFailedWebhooksQuery): AttentionItem[] {
  return (webhookEndpoints?.nodes ?? []).flatMap(
    ({ endpointId, url, status, disabledReason, failingSinceAt, deliveries }): AttentionItem[] => {
      const failed = deliveries?.totalCount ?? 0;
      const [last] = deliveries?.nodes ?? [];
      const gaveUp = status === 'DISABLED' && disabledReason !== 'OPERATOR';
      const since = failingSinceAt ?? last?.createdAt;
      if (since === undefined || (failed === 0 && !gaveUp && failingSinceAt == null)) return [];
      return [
        {
          key: endpointId,
          what: gaveUp
            ? 'Webhook endpoint was disabled'
            : failed > 0
              ? `${counted(failed, 'webhook')} failed`
              : 'Webhooks fail',
          detail: url,
          since,
          href: hrefOf(`/webhooks/${endpointId}`, { status: failed > 0 ? 'FAILED' : null }),
          status: 'FAILED',
        },
      ];
    },
  );
}

/**
 * Finds runs to attend to. The last run of each month or year counts: it has made good what earlier ones left out, or
 * not.
 */
function runs({ statementRuns }: ConsoleAttentionQuery): AttentionItem[] {
  const latest = new Map(
    (statementRuns?.nodes ?? []).toReversed().map(run => [`${run.documentType} ${run.period}`, run] as const),
  );
  return [...latest.values()].toReversed().flatMap((run): AttentionItem[] => {
    const { runId, status, startedAt, leftOutCount } = run;
    const gaveUp = status === 'GIVEN_UP';
    if (!gaveUp && (leftOutCount === 0 || status === 'RUNNING')) return [];
    const left = leftOutCount > 0 ? `${counted(leftOutCount, 'account')} without the document` : null;
    return [
      {
        key: runId,
        what: gaveUp ? 'Statement run gave up' : 'Documents were left out',
        detail: [titleOf(run), left].filter(Boolean).join(', '),
        since: startedAt,
        href: hrefOf(`/statement-runs/${runId}`),
        status: gaveUp ? 'GIVEN_UP' : 'LEFT_OUT',
      },
    ];
  });
}

/** A file comes in several parts, each an event; those of one kind by one person are one row. */
function imports({ events }: ConsoleAttentionQuery, who: Who): AttentionItem[] {
  const found = new Map<
    string,
    { readonly kind: string; readonly by: string; readonly at: string; rejected: number }
  >();
  for (const { payload, occurredAt, audit } of events?.nodes ?? []) {
    const { kind, rejected } = (payload ?? {}) as { readonly kind?: string; readonly rejected?: number };
    if (!rejected || kind === undefined || !audit) continue;
    const by = who(audit);
    const key = `${kind} ${by}`;
    const row = found.get(key) ?? { kind, by, at: occurredAt, rejected: 0 };
    row.rejected += rejected;
    found.set(key, row);
  }
  return [...found].map(([key, { kind, by, at, rejected }]) => ({
    key,
    what: `${counted(rejected, 'line')} rejected`,
    detail: `Import of ${words(kind).toLowerCase()} by ${by}`,
    since: at,
    href: hrefOf('/imports'),
    status: 'REJECTED',
  }));
}
