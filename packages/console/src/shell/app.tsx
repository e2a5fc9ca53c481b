import type { ComponentType } from 'preact';
import { useEffect, useErrorBoundary, useRef, useState } from 'preact/hooks';
import { asProblem } from '../client/problem.js';
import { useSessionState } from '../client/session.js';
import { match, useAddress } from '../router.js';
import { ROUTES, type Route } from '../routes.js';
import { Button } from '../ui/button.js';
import { ErrorState, Loading } from '../ui/states.js';
import { Toasts, announce } from '../ui/toast.js';
import { NotFound } from './not-found.js';
import { Shell } from './shell.js';
import { SignIn } from './sign-in.js';

export function App() {
  const { session } = useSessionState();
  if (session === undefined) return null;
  return (
    <>
      {session ? (
        <Shell>
          <Screen />
        </Shell>
      ) : (
        <SignIn />
      )}
      <Toasts />
    </>
  );
}

/**
 * The screen of the address. When another screen is shown, its heading gets the focus, so that screen readers begin
 * there.
 */
function Screen() {
  const { path } = useAddress();
  const [route, values] = find(path);
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current) {
      scrollTo(0, 0);
      document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });
      announce(document.title);
    }
    isFirst.current = false;
  }, [route, values['accountId']]);
  return route ? <Loaded key={route.pattern} {...{ route, values }} /> : <NotFound />;
}

function find(path: string): [Route | null, Readonly<Record<string, string>>] {
  for (const route of ROUTES) {
    const values = match(route.pattern, path);
    if (values) return [route, values];
  }
  return [null, {}];
}

interface LoadedProps {
  readonly route: Route;
  readonly values: Readonly<Record<string, string>>;
}

function Loaded({ route, values }: LoadedProps) {
  const [screen, setScreen] = useState<{ readonly Shown: ComponentType<Readonly<Record<string, string>>> }>();
  const [hasFailed, setFailed] = useState(false);
  const [error, forget] = useErrorBoundary() as [unknown, () => void];
  useEffect(() => {
    route.load().then(
      Shown => setScreen({ Shown }),
      () => setFailed(true),
    );
  }, [route]);
  // After an update of the gateway the files of an older page are gone.
  if (hasFailed) {
    return (
      <div class="state">
        <h1 tabIndex={-1}>This screen could not be loaded</h1>
        <p>The gateway may have been updated. Reload the page to get the new console.</p>
        <Button kind="primary" onClick={() => location.reload()}>
          Reload
        </Button>
      </div>
    );
  }
  if (error) return <ErrorState problem={asProblem(error)} onRetry={forget} />;
  return screen ? <screen.Shown {...values} /> : <Loading lines={6} />;
}
