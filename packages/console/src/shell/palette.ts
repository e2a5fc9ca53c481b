import { useMay, useSession, useSessionState } from '../client/session.js';
import { hrefOf, navigate } from '../router.js';
import { PLACES, type Place } from '../routes.js';
import type { IconName } from '../ui/icon.js';

/** A place to go to, or an action, from the search. */
export interface PaletteItem {
  readonly label: string;
  readonly group: 'Go to' | 'Do';
  readonly icon: IconName;
  readonly run: () => void;
}

/** Buttons that say what can be done on the screen. Those of single rows are left out: they need their row. */
const BUTTONS = 'main .screen-head button, main .card-head button';

/** The places and actions whose words begin like those of a text; all of them for an empty one. */
export function usePalette(text: string, isOpen: boolean): readonly PaletteItem[] {
  const { sandbox } = useSession();
  const { signOut } = useSessionState();
  const places = PLACES.filter(place => isOffered(place, sandbox, useMay(...place.scopes)));
  if (!isOpen) return [];
  const goTo = places.map(({ label, path, icon }): PaletteItem => ({
    label,
    group: 'Go to',
    icon,
    run: () => navigate(hrefOf(path)),
  }));
  const leave: PaletteItem = { label: 'Sign out', group: 'Do', icon: 'out', run: () => void signOut() };
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
  return [...goTo, ...onScreen(), leave].filter(({ label }) => {
    const words = label.toLowerCase().split(/\s+/);
    return wanted.every(one => words.some(word => word.startsWith(one)));
  });
}

function isOffered({ isSandbox }: Place, sandbox: boolean, may: boolean): boolean {
  return may && (!isSandbox || sandbox);
}

function onScreen(): PaletteItem[] {
  return [...document.querySelectorAll<HTMLButtonElement>(BUTTONS)].flatMap(button => {
    // A menu explains its items behind their names.
    const named = button.querySelector('.menu-item')?.firstChild ?? button;
    const label = button.getAttribute('aria-label') ?? named.textContent?.trim();
    const isMenu = button.hasAttribute('popovertarget');
    return label && !isMenu && !button.disabled
      ? [{ label, group: 'Do' as const, icon: 'done' as const, run: () => button.click() }]
      : [];
  });
}
