/** The scheme, the user with the password, the hosts, and what follows (PostgreSQL, 'Connection URIs'). */
const ADDRESS = /^(postgres(?:ql)?:\/\/)(?:([^@/?#]*)@)?([^@/?#]*)([/?].*)?$/is;

/** The name that libpq has for the wish for a server that takes writes. */
export const TARGET = 'target_session_attrs';
const WRITABLE = ['read-write', 'primary'];
const MAX_HOSTS = 16;

interface Parts {
  readonly scheme: string;
  readonly user: string | undefined;
  readonly hosts: readonly string[];
  readonly rest: string;
}

function partsOf(address: string): Parts | null {
  const [matched, scheme = '', user, hosts = '', rest = ''] = ADDRESS.exec(address) ?? [];
  return matched === undefined ? null : { scheme, user, hosts: hosts.split(','), rest };
}

function written({ scheme, user, rest }: Parts, host: string): string {
  return `${scheme}${user === undefined ? '' : `${user}@`}${host}${rest}`;
}

/** Returns the problem of the address of a database, as the end of a sentence that begins with a setting's name. */
export function addressProblem(address: string): string | null {
  const parts = partsOf(address);
  if (!parts || !parts.hosts.every(host => URL.canParse(written(parts, host)))) {
    return 'must be a PostgreSQL address. Set postgres://user:password@host:5432/database, with special characters percent-encoded.';
  }
  const target = new URL(written(parts, parts.hosts[0] ?? '')).searchParams.get(TARGET);
  if (target !== null && target !== 'any' && !WRITABLE.includes(target)) {
    return `has a ${TARGET} with which nothing could be written. Set ${TARGET}=read-write, or remove it.`;
  }
  if (parts.hosts.length > MAX_HOSTS) return `has more than ${MAX_HOSTS} hosts. Remove some.`;
  if (parts.hosts.length > 1 && !WRITABLE.includes(target ?? '')) {
    return `has several hosts. Add ${TARGET}=read-write, so that connections lead to the one that takes writes.`;
  }
  return null;
}

/** The hosts of an address, each as an address of its own that `pg` reads, in the order in which they are tried. */
export function hostsOf(address: string): string[] {
  const parts = partsOf(address);
  if (!parts) return [address];
  return parts.hosts.map(host => {
    const one = written(parts, host);
    if (!one.includes(TARGET)) return one;
    const url = new URL(one);
    url.searchParams.delete(TARGET);
    return url.href;
  });
}

/** True if a connection counts only where the server takes writes. */
export function wantsWrites(address: string): boolean {
  const parts = partsOf(address);
  if (!parts || !address.includes(TARGET)) return false;
  return WRITABLE.includes(new URL(written(parts, parts.hosts[0] ?? '')).searchParams.get(TARGET) ?? '');
}

export function hasPassword(address: string): boolean {
  return partsOf(address)?.user?.includes(':') ?? false;
}

/** The address with this password, as it is, where it has none of its own. */
export function withPassword(address: string, password: string): string {
  const parts = partsOf(address);
  if (!parts || hasPassword(address)) return address;
  const user = `${parts.user ?? ''}:${encodeURIComponent(password)}`;
  return written({ ...parts, user }, parts.hosts.join(','));
}
