import { hash, X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import type { CertificateSource } from '../auth/possession-settings.js';
import { isFromProxy, type ProxyTrust } from './client-address.js';

/** A byte sequence of RFC 9651: the certificate in DER. Several headers are joined with commas, and then are none. */
const BYTES = /^:([A-Za-z0-9+/]+={0,2}):$/;

/**
 * The SHA-256 thumbprint of the certificate with which the client of a request proved its key (RFC 8705, 3.1), in
 * base64url; null for none. The header `Client-Cert` (RFC 9440) counts only on a connection of a trusted proxy, since
 * certificates are public and every client can send one.
 */
export function certificateThumbprint(
  { socket, headers }: IncomingMessage,
  source: CertificateSource,
  trust: ProxyTrust | null,
): string | null {
  if (source === 'tls') {
    const certificate = socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined;
    return certificate ? thumbprintOf(certificate.raw) : null;
  }
  if (source === 'none' || !isFromProxy(socket, trust)) return null;
  const { 'client-cert': sent } = headers;
  const [, base64] = BYTES.exec(typeof sent === 'string' ? sent : '') ?? [];
  return base64 === undefined ? null : thumbprintIn(Buffer.from(base64, 'base64'));
}

function thumbprintIn(der: Buffer): string | null {
  try {
    return thumbprintOf(new X509Certificate(der).raw);
  } catch {
    return null;
  }
}

function thumbprintOf(der: Buffer): string {
  return hash('sha256', der, 'base64url');
}
