import { createContext, type ComponentChildren } from 'preact';
import { useCallback, useContext, useEffect, useState } from 'preact/hooks';
import { onSignedOut } from './graphql.js';

/** The person who is signed in, and what the person may do. */
export interface Session {
  readonly subject: string;
  readonly name: string | null;
  readonly program: string;
  /** The names of the people who were signed in lately, by their subjects. */
  readonly names: Readonly<Record<string, string>>;
  readonly roles: readonly string[];
  readonly scopes: readonly string[];
  /** True if things can be made to happen at this gateway. */
  readonly sandbox: boolean;
  readonly idleUntil: string;
  readonly endsAt: string;
}

export type DemoRole = 'viewer' | 'operator' | 'approver';

export interface SessionState {
  /** Null while nobody is signed in, undefined until that is known. */
  readonly session: Session | null | undefined;
  readonly refresh: () => Promise<void>;
  /** Gives whether the gateway has ended the session. */
  readonly signOut: () => Promise<boolean>;
}

const ANSWER_MS = 15_000;
/** Timers of browsers count to no more than this. */
const MAX_TIMER_MS = 2 ** 31 - 1;
const IMPLIED_BY: Readonly<Record<string, readonly string[]>> = {
  'operations.read': ['operations'],
  approvals: ['operations'],
  'transfers.write': ['operations'],
};

const Context = createContext<SessionState | null>(null);

export function SessionProvider({ children }: { readonly children: ComponentChildren }) {
  const [session, setSession] = useState<Session | null>();
  const refresh = useCallback(async () => setSession(await readSession()), []);
  const signOut = useCallback(async () => {
    const ended = await endSession();
    if (!ended) return false;
    if (ended.redirect != null) location.assign(ended.redirect);
    setSession(null);
    return true;
  }, []);
  useEffect(() => void refresh(), []);
  useEffect(() => onSignedOut(() => setSession(null)), []);
  // The screen does not outlive the session: when it may have ended, the gateway is asked.
  useEffect(() => {
    if (!session) return;
    const end = Math.min(Date.parse(session.idleUntil), Date.parse(session.endsAt)) + 1000;
    const timer = setTimeout(() => void refresh(), Math.min(MAX_TIMER_MS, Math.max(1000, end - Date.now())));
    return () => clearTimeout(timer);
  }, [session]);
  return <Context.Provider value={{ session, refresh, signOut }}>{children}</Context.Provider>;
}

async function readSession(): Promise<Session | null> {
  try {
    const response = await fetch('/console/session', { signal: AbortSignal.timeout(ANSWER_MS) });
    const answer = (await response.json()) as { readonly signedIn?: false } | (Session & { readonly signedIn: true });
    return response.ok && answer.signedIn ? answer : null;
  } catch {
    return null;
  }
}

/** Gives where the provider of the sign-in ends its own session, if it does; null if the gateway has not ended ours. */
async function endSession(): Promise<{ readonly redirect?: string | null } | null> {
  try {
    const response = await fetch('/console/sign-out', { method: 'POST', signal: AbortSignal.timeout(ANSWER_MS) });
    return response.ok ? ((await response.json()) as { readonly redirect?: string | null }) : null;
  } catch {
    return null;
  }
}

export async function signInForDemonstration(role: DemoRole): Promise<boolean> {
  const response = await fetch('/console/sign-in', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ as: role }),
    signal: AbortSignal.timeout(ANSWER_MS),
  }).catch(() => null);
  return response?.ok ?? false;
}

export function useSessionState(): SessionState {
  const state = useContext(Context);
  if (!state) throw new Error('only what stands in SessionProvider has a session');
  return state;
}

/** The session of the person who is signed in. Screens are shown only behind the sign-in, so there is one. */
export function useSession(): Session {
  const { session } = useSessionState();
  if (!session) throw new Error('only screens behind the sign-in have a session');
  return session;
}

/**
 * Returns true if the session has one of these scopes, so that other actions are not offered. The gateway decides in
 * any case.
 */
export function useMay(...scopes: readonly string[]): boolean {
  const { scopes: held } = useSession();
  return scopes.some(scope => [scope, ...(IMPLIED_BY[scope] ?? [])].some(one => held.includes(one)));
}
