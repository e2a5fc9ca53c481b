import { randomUUID } from 'node:crypto';
import { READ_WEBHOOKS, CREATE_ENDPOINT } from '../../../packages/webhooks/src/webhook.operations.js';
import { changedValues, contentOf, storedOf, type ChangedValue } from '../../bank/program/program.record.js';
import { gatewayCaller } from '../../platform/command/recording.js';
import { ApprovalRequired, InvalidInput } from '../../shared/errors.js';
import { Caller } from '../../shared/caller.js';
import { canonicalJson, type Json } from '../../shared/json.js';
import { UsageError } from '../../shared/usage-error.js';
import type { WebhookEndpointView } from '../../../packages/webhooks/src/webhook.entity.js';
import { MAX_ENDPOINTS } from '../../../packages/webhooks/src/webhook.errors.js';
import type { WebhookEndpointPatch } from '../../../packages/webhooks/src/webhook.inputs.js';
import { pathOf } from '../../platform/input/read-document.js';
import type { Container } from '../container.js';
import type { DeclaredBank, DeclaredEndpoint } from './folder.js';

/** A step that has to be done so that something is as declared. */
export interface PlannedStep {
  readonly program: string;
  /** The host of a webhook endpoint, of whose address the rest may be secret; null for the program itself. */
  readonly host: string | null;
  /** `kept`: it is on record, and not declared. */
  readonly outcome: 'new' | 'changed' | 'unchanged' | 'kept';
  /** The differences. */
  readonly changed: readonly ChangedValue[];
}

/** A step about an endpoint, and how it is taken. `dryRun`: only tried. */
export interface EndpointStep extends PlannedStep {
  readonly take: (dryRun: boolean) => Promise<WebhookEndpointView | null>;
}

export interface Plan {
  readonly programs: readonly PlannedStep[];
  readonly endpoints: readonly EndpointStep[];
}

type Needs = Pick<Container, 'programs' | 'webhooks'>;

/** Finds what differs between what is declared and what is on record. Throws `UsageError` for what cannot become so. */
export async function planOf({ programs, webhooks }: Needs, declared: DeclaredBank): Promise<Plan> {
  const onRecord = new Map((await programs.repository.all(null)).map(found => [found.programId, contentOf(found)]));
  const ofPrograms = declared.programs.map((record): PlannedStep => {
    const before = onRecord.get(record.programId) ?? null;
    const changed = changedValues(before, storedOf(record, before));
    const outcome = before === null ? 'new' : changed.length > 0 ? 'changed' : 'unchanged';
    return { program: record.programId, host: null, outcome, changed };
  });
  const ofEndpoints: EndpointStep[] = [];
  for (const { programId } of declared.programs) {
    const caller = gatewayCaller(programId, 'apply', { scopes: [...READ_WEBHOOKS.scopes, ...CREATE_ENDPOINT.scopes] });
    const found = (await webhooks.page(caller, { offset: 0, limit: MAX_ENDPOINTS })).items;
    const wanted = declared.endpoints.filter(({ program }) => program === programId);
    const named = new Set(wanted.map(({ endpoint }) => endpoint.url));
    ofEndpoints.push(
      ...wanted.map(one =>
        stepOf(
          webhooks,
          caller,
          one,
          found.find(({ url }) => url === one.endpoint.url),
        ),
      ),
      ...found.filter(({ url }) => !named.has(url)).map(({ url }) => untouched(programId, url)),
    );
  }
  await tryEach(ofEndpoints);
  return { programs: ofPrograms, endpoints: ofEndpoints };
}

function stepOf(
  webhooks: Needs['webhooks'],
  caller: Caller,
  { program, endpoint: { status, ...input } }: DeclaredEndpoint,
  found: WebhookEndpointView | undefined,
): EndpointStep {
  const host = hostOf(input.url);
  const { signing, url: _, ...fields } = input;
  if (!found) {
    return {
      program,
      host,
      outcome: 'new',
      changed: changedOf(null, { ...fields, ...(status != null && { status }) }),
      take: async dryRun => {
        const { endpoint } = await webhooks.create(once(caller), input, dryRun);
        if (status !== 'DISABLED' || dryRun) return endpoint;
        return webhooks.update(once(caller), endpoint.endpointId, { status });
      },
    };
  }
  if (signing != null && signing !== found.signing) {
    throw new UsageError(
      `${program}: the signing of the webhook endpoint at ${host} cannot change. Delete the endpoint, and apply again.`,
    );
  }
  const patch = differing(found, { ...fields, ...(status != null && { status }) });
  const changed = changedOf(found, patch);
  return {
    program,
    host,
    outcome: changed.length > 0 ? 'changed' : 'unchanged',
    changed,
    take: async dryRun =>
      changed.length > 0 ? webhooks.update(once(caller), found.endpointId, patch, {}, dryRun) : null,
  };
}

/** The fields that are declared and differ from those on record. What is not declared stays as it is. */
function differing(found: WebhookEndpointView, declared: WebhookEndpointPatch): WebhookEndpointPatch {
  // Absent, an empty text and an empty list mean the same.
  const textOf = (value: string | readonly string[] | null | undefined): string =>
    canonicalJson(value && value.length > 0 ? value : null);
  const fields = Object.keys(declared) as (keyof WebhookEndpointPatch)[];
  const changed = fields.filter(
    field => declared[field] !== undefined && textOf(declared[field]) !== textOf(found[field]),
  );
  return Object.fromEntries(changed.map(field => [field, declared[field]]));
}

/** The fields of a patch with what they were. None of them is secret: the address and the keys are not among them. */
function changedOf(found: WebhookEndpointView | null, patch: WebhookEndpointPatch): ChangedValue[] {
  const valueOf = (value: string | readonly string[] | null | undefined): Json =>
    value && value.length > 0 ? value : null;
  return (Object.keys(patch) as (keyof WebhookEndpointPatch)[])
    .map(field => ({ field, before: valueOf(found?.[field]), after: valueOf(patch[field]), isHidden: false }))
    .filter(({ before, after }) => canonicalJson(before) !== canonicalJson(after));
}

/**
 * Gives a caller an idempotency key, which a request needs that waits for an approval: its outcome is kept under it.
 */
function once(caller: Caller): Caller {
  return new Caller(caller, caller.requestId, { key: randomUUID(), place: null, outcomes: [] });
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : 'an address that is no URL';
}

function untouched(program: string, url: string): EndpointStep {
  return { program, host: hostOf(url), outcome: 'kept', changed: [], take: async () => null };
}

/** Finds out before anything is written what the commands would refuse. */
async function tryEach(steps: readonly EndpointStep[]): Promise<void> {
  const problems: string[] = [];
  for (const { program, host, take } of steps) {
    try {
      await take(true);
    } catch (error) {
      if (error instanceof ApprovalRequired) continue;
      if (!(error instanceof InvalidInput)) throw error;
      problems.push(
        ...error.errors.map(
          ({ pointer, detail }) => `${program}: webhook endpoint at ${host}:${pathOf(pointer)} ${detail}`,
        ),
      );
    }
  }
  if (problems.length > 0) throw new UsageError(problems.join('\n'));
}
