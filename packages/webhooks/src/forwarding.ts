import { statusOf, type EventFeed, type EventRecord, type EventWish, type KeyRing, type Report } from 'tillgate/noun';
import { AddressGuard } from '../../../lib/guarded-connect/address-guard.js';
import { GuardedClient, SendFailed } from '../../../lib/guarded-connect/guarded-client.js';
import { hostOf, isLocalName, targetOf } from '../../../lib/guarded-connect/target.js';
import { headersOf, signerOf, type Signer } from '../../../lib/standard-webhooks/standard-webhooks.js';
import { bodyOf } from './delivery/deliverable.js';

const SECRET_BYTES = 32;
/** Events are forwarded to this machine only, where the person who runs the command is. */
const OWN_MACHINE = new AddressGuard([], true);

export interface ForwardingOrder {
  readonly feed: EventFeed;
  readonly keys: KeyRing;
  readonly program: string;
  readonly wish: EventWish;
  /** The address, which is of this machine: see `isOwnAddress`. */
  readonly url: string;
  readonly userAgent: string;
  readonly report: Report;
  /** Ends it. */
  readonly stop: AbortSignal;
}

/** True for a text that is an http or https address of this machine. */
export function isOwnAddress(text: string): boolean {
  try {
    const host = hostOf(targetOf(text, OWN_MACHINE));
    return isLocalName(host) || OWN_MACHINE.isLoopback(host);
  } catch {
    return false;
  }
}

/**
 * The secret that signs what is forwarded of a program. It is made of the newest key, so that a developer sets it once,
 * and it is of no use for anything else.
 */
function forwardingSecret(keys: KeyRing, program: string): string {
  return `whsec_${keys.digest('webhook forwarding', program).subarray(-SECRET_BYTES).toString('base64')}`;
}

/**
 * Sends the events of a program from now on to an address of this machine, signed as webhooks are, one after the other
 * and each once. Gives the exit status when it is stopped. Throws `InvalidInput` for unknown types.
 */
export async function forward({
  feed,
  keys,
  program,
  wish,
  url,
  userAgent,
  report,
  stop,
}: ForwardingOrder): Promise<number> {
  const selection = feed.selectionOf(program, wish);
  const secret = forwardingSecret(keys, program);
  const signer = signerOf(secret);
  const client = new GuardedClient({ guard: OWN_MACHINE });
  try {
    feed.feed.start();
    const after = await feed.feed.present();
    report.line(`The signing secret is ${secret}`);
    report.line(`Forwarding the events of ${program} from now on. Press Ctrl-C to stop.`);
    for await (const page of feed.feed.follow(selection, after, stop)) {
      for (const { event } of feed.shown(page)) {
        const line = await sent(client, url, event, signer, userAgent, stop);
        if (line !== null) report.line(`${event.timestamp}  ${event.type}  ${event.id}  ${line}`);
      }
    }
    return statusOf(stop.reason);
  } finally {
    client.close();
  }
}

/** Gives `200  12 ms`, or the code of a failure in place of the status; null if it was stopped. */
async function sent(
  client: GuardedClient,
  url: string,
  event: EventRecord,
  signer: Signer,
  userAgent: string,
  stop: AbortSignal,
): Promise<string | null> {
  const body = bodyOf(event);
  const message = { id: event.id, timestampSeconds: Math.floor(Date.now() / 1000), body };
  const headers = { ...headersOf(message, [signer]), 'content-type': 'application/json', 'user-agent': userAgent };
  const fromMs = performance.now();
  const outcome = await client.post(url, headers, body, stop).then(
    ({ status }) => String(status),
    (error: unknown) => {
      if (error instanceof SendFailed) return error.code;
      throw error;
    },
  );
  return outcome === 'STOPPED' ? null : `${outcome}  ${Math.round(performance.now() - fromMs)} ms`;
}
