import { createContext, type ComponentChildren } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';

/** Where the console is mounted at the gateway. Addresses in the code are below it, such as `/accounts/demo-1001`. */
export const BASE = '/console';

export interface Address {
  /** Below the console, as it is encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
}

const CHANGED = 'tillgate:address';
const Context = createContext<Address>({ path: '/', query: new URLSearchParams() });

export const useAddress = (): Address => useContext(Context);

export function hrefOf(path: string, query: Readonly<Record<string, string | null | undefined>> = {}): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const search = new URLSearchParams(given).toString();
  return `${BASE}${path === '/' ? '' : path}${search && `?${search}`}`;
}

/** Goes to an address of the console. With `replace` the back button does not come back to this one. */
export function navigate(href: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  if (replace) history.replaceState(null, '', href);
  else history.pushState(null, '', href);
  dispatchEvent(new Event(CHANGED));
}

/** Follows links inside of the console without a reload, and the back button. */
export function Router({ children }: { readonly children: ComponentChildren }) {
  const [address, setAddress] = useState(read);
  useEffect(() => {
    const update = (): void => setAddress(read());
    addEventListener('popstate', update);
    addEventListener(CHANGED, update);
    document.addEventListener('click', follow);
    return () => {
      removeEventListener('popstate', update);
      removeEventListener(CHANGED, update);
      document.removeEventListener('click', follow);
    };
  }, []);
  return <Context.Provider value={address}>{children}</Context.Provider>;
}

function read(): Address {
  const path = location.pathname.slice(BASE.length).replace(/\/+$/, '') || '/';
  return { path, query: new URLSearchParams(location.search) };
}

function follow(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (!link || !isPlain || event.defaultPrevented || link.target || link.hasAttribute('download')) return;
  const isOurs = link.origin === location.origin && `${link.pathname}/`.startsWith(`${BASE}/`);
  const isFile = link.pathname.startsWith(`${BASE}/files/`) || link.pathname.startsWith(`${BASE}/sign-in`);
  if (!isOurs || isFile || (link.hash && link.pathname === location.pathname)) return;
  event.preventDefault();
  navigate(link.href);
}

/** The decoded text of a part of an address; a text that is no valid encoding stays as it is. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The values of the `:names` of a pattern such as `/accounts/:accountId/:tab?`, or null if the path is another one. */
export function match(pattern: string, path: string): Readonly<Record<string, string>> | null {
  const wanted = pattern.split('/');
  const given = path.split('/');
  if (given.length > wanted.length) return null;
  const values: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index];
    if (!part.startsWith(':')) {
      if (part !== value) return null;
    } else if (value) values[part.replace(/[:?]/g, '')] = decoded(value);
    else if (!part.endsWith('?')) return null;
  }
  return values;
}
