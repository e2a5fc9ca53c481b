/** The problem of an address that is not safe, as the end of a sentence that begins with a setting's name. */
export function safeAddressProblem(text: string): string | null {
  return isSafeAddress(text)
    ? null
    : 'must be an https address without user name and password. http is allowed for a loopback host only.';
}

/**
 * True for an https address, and for any address of this machine. Who can change the answers of an issuer lets people
 * in, so plain text over a network is refused.
 */
export function isSafeAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  return (
    (protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))) && username === '' && password === ''
  );
}

/** True for a host that can be reached from this machine alone. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/i.test(hostname);
}
