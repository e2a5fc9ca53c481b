import { randomUUID } from 'node:crypto';
import { statementOf } from '../../../lib/pg-wire/statement.js';
import { GATEWAY_CLIENT, recording } from '../../platform/command/recording.js';
import type { Database } from '../../platform/database/orm.js';
import { inTransaction } from '../../platform/database/transaction.js';
import type { WebhookDisabledReason, WebhookSigning } from '../webhook.entity.js';
import { endpointFacts } from '../webhook.events.js';

// The lock that commands about a program take first, so that nobody waits for the other.
const LOCK = statementOf(`SELECT pg_advisory_xact_lock(x'70726f67'::int, hashtext($1))::text`);
const DISABLE = statementOf(
  `UPDATE webhook_endpoint SET status = 'DISABLED', disabled_reason = $2, version = version + 1, updated_at = now()
   WHERE endpoint_id = $1 AND status = 'ENABLED' RETURNING url, signing`,
);

/** Disables endpoints that nothing can be delivered to. */
export class Disabling {
  constructor(private readonly database: Database) {}

  /** Disables an endpoint that is enabled, and records the event. */
  async disable(
    { endpointId, program }: { readonly endpointId: string; readonly program: string },
    disabledReason: WebhookDisabledReason,
  ): Promise<void> {
    await inTransaction(this.database, async transaction => {
      await transaction.query(LOCK, [program]);
      const rows = await transaction.query<[string, WebhookSigning]>(DISABLE, [endpointId, disabledReason]);
      const by = { program, clientId: GATEWAY_CLIENT, subject: 'webhooks', requestId: randomUUID() };
      for (const [url, signing] of rows) {
        const data = endpointFacts({ url, status: 'DISABLED', disabledReason, signing });
        const object = `webhook_endpoint/${endpointId}`;
        await transaction.runAll(
          recording([{ by, action: 'webhook_endpoint.disable', accountId: null, object, data }]),
        );
      }
    });
  }
}
