import { useEffect, useState } from 'preact/hooks';
import { signInForDemonstration, useSessionState, type DemoRole } from '../client/session.js';
import { BASE, hrefOf, useAddress } from '../router.js';
import { Button } from '../ui/button.js';
import { Mark } from './mark.js';

const ROLES: readonly (readonly [DemoRole, string, string])[] = [
  ['viewer', 'Viewer', 'looks everything up, and changes nothing'],
  ['operator', 'Operator', 'changes accounts, cards and beneficiaries, and may reveal personal data'],
  ['approver', 'Approver', 'approves what others asked for'],
];

/** Shown at every address while nobody is signed in. Afterwards the same address is shown. */
export function SignIn() {
  const { path, query } = useAddress();
  useEffect(() => {
    document.title = 'Sign in - Tillgate console';
  }, []);
  return (
    <main class="sign-in" tabIndex={-1}>
      <Mark size={40} />
      <h1>Sign in to the console</h1>
      {isDemonstration() ? (
        <DemoButtons />
      ) : (
        <>
          <p class="soft">You are taken to the sign-in of your organisation, and come back to this page.</p>
          <a
            class="button primary"
            href={`${BASE}/sign-in?to=${encodeURIComponent(hrefOf(path, Object.fromEntries(query)))}`}
          >
            Sign in
          </a>
        </>
      )}
    </main>
  );
}

/** Before anybody is signed in, the page itself says how it is done here. */
function isDemonstration(): boolean {
  return document.querySelector<HTMLMetaElement>('meta[name="sign-in"]')?.content === 'demo';
}

function DemoButtons() {
  const { refresh } = useSessionState();
  const [busy, setBusy] = useState<DemoRole>();
  const [hasFailed, setFailed] = useState(false);
  const signIn = async (role: DemoRole): Promise<void> => {
    setBusy(role);
    const isSignedIn = await signInForDemonstration(role);
    if (isSignedIn) await refresh();
    setFailed(!isSignedIn);
    setBusy(undefined);
  };
  return (
    <>
      <p class="soft">The data of this gateway is invented. Choose who you are:</p>
      <ul class="roles">
        {ROLES.map(([role, label, text]) => (
          <li key={role}>
            <Button
              kind={role === 'operator' ? 'primary' : 'plain'}
              isBusy={busy === role}
              aria-describedby={`role-${role}`}
              onClick={() => void signIn(role)}
            >
              {label}
            </Button>
            <span class="soft small" id={`role-${role}`}>
              {text}
            </span>
          </li>
        ))}
      </ul>
      {hasFailed && (
        <p class="note bad" role="alert">
          The gateway did not sign you in. Check that it runs, and try again.
        </p>
      )}
    </>
  );
}
