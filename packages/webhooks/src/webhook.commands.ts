import { randomUUID } from 'node:crypto';
import {
  AccountNotFound,
  InvalidInput,
  canonicalJson,
  mustBeExpected,
  nextVersion,
  type DeclaredOperation,
  type Draft,
  type EventFacts,
  type EventTypes,
  type ProgramCommands,
  type VersionCondition,
} from 'tillgate/noun';
import type { AddressGuard } from '../../../lib/guarded-connect/address-guard.js';
import type { WebhookDisabledReason, WebhookEndpointRead, WebhookEndpointView } from './webhook.entity.js';
import { DELETION_WAITS, ENDPOINT_WAITS, NEW_ENDPOINT_WAITS, NEW_SECRET_WAITS } from './webhook.approval.js';
import { BadWebhookUrl, MAX_ENDPOINTS, TooManyWebhookEndpoints } from './webhook.errors.js';
import type { WebhookEndpointInput, WebhookEndpointPatch } from './webhook.inputs.js';
import { merged, mustBeOf, newKeyOf, shown, shownSecret } from './webhook.record.js';
import type { EndpointCommandFacts, WebhookRepository } from './webhook.repository.js';
import { endpointFacts } from './webhook.events.js';
import { urlProblemOf } from './webhook.url.js';
import {
  CREATE_ENDPOINT,
  DELETE_ENDPOINT,
  DISABLE_ENDPOINT,
  ENABLE_ENDPOINT,
  GIVE_UP_ENDPOINT,
  ROTATE_SECRET,
  UPDATE_ENDPOINT,
} from './webhook.operations.js';

/** An endpoint and what signs from now on, which is shown this once. */
export interface NewSecret {
  readonly endpoint: WebhookEndpointView;
  /** `whsec_` and the base64 of 32 bytes; null for V1A, whose private key only the gateway needs. */
  readonly secret: string | null;
}

export interface NamedEndpoint {
  readonly endpointId: string;
}
export interface ChangedEndpoint extends NamedEndpoint, VersionCondition {
  readonly patch: WebhookEndpointPatch;
}
export interface FailedEndpoint extends NamedEndpoint {
  readonly reason: WebhookDisabledReason;
}

interface ChangeFact {
  readonly onFile: WebhookEndpointRead | null;
  readonly hasAccounts: boolean;
}

/** The time for which the secret before a rotation signs as well, so that receivers can change over. */
const PREVIOUS_VALID_MS = 24 * 60 * 60 * 1000;
/** The columns that an update writes. What the deliveries write of an endpoint stays as it is. */
const CHANGEABLE = ['url', 'description', 'types', 'accountIds', 'version', 'updatedAt'];
const SWITCHED = [...CHANGEABLE, 'status', 'disabledReason'];
/** The columns of an endpoint that is enabled again: earlier failures do not count against it. */
const ENABLED_ANEW = [...SWITCHED, 'failingSince'];

/** The commands that change endpoints. */
export class WebhookCommands {
  constructor(
    private readonly repository: WebhookRepository,
    private readonly commands: ProgramCommands,
    private readonly types: EventTypes,
    private readonly guard: AddressGuard,
  ) {}

  readonly create = this.commands.command<WebhookEndpointInput, EndpointCommandFacts, NewSecret, Draft>(
    CREATE_ENDPOINT,
    {
      recorded: ({ input: { url, description, types, accountIds, signing } }) => ({
        url,
        description: description ?? null,
        types: types ?? [],
        accountIds: accountIds ?? [],
        signing: signing ?? 'V1',
      }),
      names: ({ accountIds }) => accountIds ?? [],
      readFacts: (transaction, requests) =>
        this.repository.deciding(
          transaction,
          requests.map(({ caller, input }) => ({ program: caller.program, accountIds: input.accountIds ?? [] })),
        ),
      prepare: ({ caller, input }) => {
        this.check(input);
        const { url, description, types, accountIds } = input;
        const signing = input.signing ?? 'V1';
        const { secret, publicKey } = newKeyOf(signing);
        const now = new Date().toISOString();
        const endpoint: WebhookEndpointView = {
          endpointId: randomUUID(),
          url,
          description: description || null,
          types: types ?? [],
          accountIds: accountIds ?? [],
          status: 'ENABLED',
          disabledReason: null,
          signing,
          publicKey,
          previousValidUntil: null,
          failingSince: null,
          createdAt: now,
          updatedAt: now,
          version: 1,
        };
        const secrets = { current: secret, previous: null };
        const draft = this.repository.draft({ ...endpoint, program: caller.program, secrets });
        return { result: { endpoint, secret: shownSecret(endpoint, secret) }, draft };
      },
      permit: (_program, { endpoints, hasAccounts }) => {
        if (!hasAccounts) throw new AccountNotFound();
        if (endpoints >= MAX_ENDPOINTS) throw new TooManyWebhookEndpoints();
      },
      write: accepted => [
        this.repository.insertion(accepted.map(({ draft, fact }) => ({ ...draft, from_position: fact.head }))),
      ],
      event: ({ result }) => eventOf(result.endpoint),
      approval: NEW_ENDPOINT_WAITS,
    },
  );

  readonly update = this.change(UPDATE_ENDPOINT, CHANGEABLE);
  readonly enable = this.change(ENABLE_ENDPOINT, ENABLED_ANEW);
  readonly disable = this.change(DISABLE_ENDPOINT, SWITCHED);

  private readonly switching = this.repository.updating(SWITCHED);
  /**
   * Disables an endpoint to which nothing can be delivered, unless it is gone or disabled. That needs no approval.
   */
  readonly giveUp = this.commands.command<FailedEndpoint, WebhookEndpointRead | null, null, WebhookEndpointView | null>(
    GIVE_UP_ENDPOINT,
    {
      readFacts: (transaction, requests) => this.repository.named(transaction, requests),
      permit: (_program, onFile, { input: { reason } }) => {
        const isEnabled = onFile?.status === 'ENABLED';
        return { result: null, draft: isEnabled ? merged(onFile, { status: 'DISABLED' }, reason) : null };
      },
      write: accepted => {
        const drafts = accepted.flatMap(({ fact, draft }): Draft[] => (fact && draft ? [this.draftOf(draft)] : []));
        return drafts.length > 0 ? [this.switching(drafts)] : [];
      },
      event: ({ draft }) => draft && eventOf(draft),
    },
  );

  private readonly resealing = this.repository.updating([
    'sealed',
    'publicKey',
    'previousValidUntil',
    'version',
    'updatedAt',
  ]);
  readonly rotateSecret = this.commands.command<NamedEndpoint, WebhookEndpointRead | null, NewSecret, Draft>(
    ROTATE_SECRET,
    {
      readFacts: (transaction, requests) => this.repository.named(transaction, requests),
      permit: (_program, onFile, { caller }) => {
        const found = mustBeOf(caller, onFile);
        const { secret, publicKey } = newKeyOf(found.signing);
        const now = Date.now();
        const changes = {
          publicKey,
          previousValidUntil: new Date(now + PREVIOUS_VALID_MS).toISOString(),
          ...nextVersion(found),
        };
        const endpoint = { ...shown(found), ...changes };
        const secrets = { current: secret, previous: found.secrets.current };
        const draft = this.repository.draft({ ...endpoint, secrets });
        return { result: { endpoint, secret: shownSecret(endpoint, secret) }, draft };
      },
      write: accepted => [this.resealing(accepted.map(({ draft }) => draft))],
      event: ({ result }) => eventOf(result.endpoint),
      approval: NEW_SECRET_WAITS,
    },
  );

  readonly delete = this.commands.command<NamedEndpoint, WebhookEndpointRead | null, WebhookEndpointView, string[]>(
    DELETE_ENDPOINT,
    {
      readFacts: (transaction, requests) => this.repository.named(transaction, requests),
      permit: (_program, onFile, { caller }) => {
        const found = mustBeOf(caller, onFile);
        return { result: shown(found), draft: [found.endpointId] };
      },
      write: accepted => [this.repository.deletion(accepted.map(({ draft }) => draft))],
      event: ({ result }) => eventOf(result),
      approval: DELETION_WAITS,
    },
  );

  private change(operation: DeclaredOperation, columns: readonly string[]) {
    const { repository } = this;
    const writing = repository.updating(columns);
    return this.commands.command<ChangedEndpoint, ChangeFact, WebhookEndpointView, Draft>(operation, {
      recorded: ({ input: { endpointId, patch } }) => ({ endpointId, ...patch }),
      isPatch: true,
      names: ({ patch }) => patch.accountIds ?? [],
      readFacts: async (transaction, requests) => {
        const keys = requests.map(({ caller, input }) => ({
          program: caller.program,
          accountIds: input.patch.accountIds ?? [],
        }));
        const [found, deciding] = await Promise.all([
          repository.named(transaction, requests),
          repository.deciding(transaction, keys),
        ]);
        return found.map((onFile, index) => ({ onFile, hasAccounts: deciding[index]?.hasAccounts ?? false }));
      },
      permit: (_program, { onFile, hasAccounts }, { caller, input }) => {
        const { patch } = input;
        const endpoint = mustBeOf(caller, onFile);
        mustBeExpected(endpoint, input);
        this.check(patch);
        if (!hasAccounts) throw new AccountNotFound();
        const changed = merged(endpoint, patch);
        const isUnchanged =
          canonicalJson({ ...changed, updatedAt: endpoint.updatedAt, version: endpoint.version }) ===
          canonicalJson(shown(endpoint));
        const result = isUnchanged ? shown(endpoint) : changed;
        return { result, draft: this.draftOf(result), isUnchanged };
      },
      write: accepted => [writing(accepted.map(({ draft }) => draft))],
      event: ({ result }) => eventOf(result),
      approval: ENDPOINT_WAITS,
    });
  }

  private draftOf(changed: WebhookEndpointView): Draft {
    return this.repository.draftOf(changed, ENABLED_ANEW);
  }

  /** Throws `InvalidInput`, which names a URL that cannot be used and each unknown type. */
  private check({ url, types }: WebhookEndpointPatch): void {
    const problem = url === undefined ? null : urlProblemOf(url, this.guard);
    const problems = [...(problem === null ? [] : new BadWebhookUrl(problem).errors), ...this.types.unknownIn(types)];
    if (problems.length > 0) throw new InvalidInput('rule_broken', problems);
  }
}

function eventOf(endpoint: WebhookEndpointView): EventFacts {
  return { object: `webhook_endpoint/${endpoint.endpointId}`, data: endpointFacts(endpoint) };
}
