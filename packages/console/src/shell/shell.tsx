import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useQuery } from '../client/query.js';
import { useMay, useSession, useSessionState } from '../client/session.js';
import { ConsoleProgramDocument } from '../generated/graphql.js';
import { hrefOf, useAddress } from '../router.js';
import { PLACES, type Place } from '../routes.js';
import { chooseTheme, isDark } from '../theme.js';
import { Button } from '../ui/button.js';
import { Icon } from '../ui/icon.js';
import { toast } from '../ui/toast.js';
import { words } from '../ui/words.js';
import { KeyHelp, useKeys } from './keys.js';
import { Mark } from './mark.js';
import { Search } from './search.js';

/** Shows the frame around every screen. */
export function Shell({ children }: { readonly children: ComponentChildren }) {
  const { path } = useAddress();
  const [isOpen, setOpen] = useState(false);
  const [showsKeys, setShowsKeys] = useState(false);
  useEffect(() => setOpen(false), [path]);
  const maySearch = useMay('operations.read');
  const { data } = useQuery(ConsoleProgramDocument, maySearch ? {} : null);
  useKeys(() => setShowsKeys(true));
  return (
    <div class="shell">
      <a class="skip button" href="#main">
        Skip to the content
      </a>
      <header class="top">
        <ProgramName name={data?.program?.name} />
        {maySearch && <Search />}
        <Button
          kind="quiet"
          icon="menu"
          aria-label="Menu"
          aria-expanded={isOpen}
          aria-controls="sidebar"
          onClick={() => setOpen(!isOpen)}
        />
      </header>
      <div class={isOpen ? 'sidebar open' : 'sidebar'} id="sidebar">
        <nav aria-label="Console">
          <ul>
            {PLACES.map(place => (
              <PlaceLink
                key={place.path}
                {...{ place, path }}
                waiting={place.path === '/approvals' ? data?.approvals?.totalCount : 0}
              />
            ))}
          </ul>
        </nav>
        <SignedIn onKeys={() => setShowsKeys(true)} />
      </div>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      {showsKeys && <KeyHelp onClose={() => setShowsKeys(false)} />}
    </div>
  );
}

function ProgramName({ name }: { readonly name: string | undefined }) {
  const { program } = useSession();
  return (
    <a class="program" href={hrefOf('/')} aria-label={name ?? program}>
      <Mark />
      <span>{name ?? program}</span>
    </a>
  );
}

function PlaceLink({
  place: { label, path: to, icon, scopes, isSandbox },
  path,
  waiting = 0,
}: {
  readonly place: Place;
  readonly path: string;
  /** The number of things that wait there for somebody. */
  readonly waiting: number | undefined;
}) {
  const { sandbox } = useSession();
  if (!useMay(...scopes) || (isSandbox && !sandbox)) return null;
  const isCurrent = to === '/' ? path === '/' : path === to || path.startsWith(`${to}/`);
  return (
    <li>
      <a href={hrefOf(to)} aria-current={isCurrent ? 'page' : undefined}>
        <Icon name={icon} />
        {label}
      </a>
      {waiting > 0 && (
        <span class="place-count">
          {waiting}
          <span class="hidden-text"> waiting</span>
        </span>
      )}
    </li>
  );
}

function SignedIn({ onKeys }: { readonly onKeys: () => void }) {
  const { subject, name, roles } = useSession();
  const { signOut } = useSessionState();
  const [dark, setDark] = useState(isDark);
  const leave = async (): Promise<void> => {
    const isOut = await signOut();
    if (!isOut) toast('You are still signed in: the gateway did not answer. Try again.');
  };
  const switchTheme = (): void => {
    chooseTheme(dark ? 'light' : 'dark');
    setDark(!dark);
  };
  return (
    <section class="signed-in" aria-label="Your session">
      <p>
        <strong>{name ?? subject}</strong>
        <span class="soft small">{roles.map(words).join(', ')}</span>
      </p>
      <div class="buttons">
        <Button kind="quiet" isSmall icon="out" onClick={() => void leave()}>
          Sign out
        </Button>
        <Button
          kind="quiet"
          isSmall
          icon={dark ? 'sun' : 'moon'}
          aria-label={dark ? 'Use light colours' : 'Use dark colours'}
          title={dark ? 'Use light colours' : 'Use dark colours'}
          onClick={switchTheme}
        />
        <Button kind="quiet" isSmall aria-label="Keys" title="Keys" onClick={onKeys}>
          <span class="kbd">?</span>
        </Button>
      </div>
    </section>
  );
}
