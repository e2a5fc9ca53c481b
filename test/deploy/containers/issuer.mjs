// A stand-in for an identity provider: its keys, and at /token an access token of the client `backend`.
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';

const { ISSUER, AUDIENCE, SCOPE } = process.env;
const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const KEYS = { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'ES256', use: 'sig' }] };
const encoded = part => Buffer.from(JSON.stringify(part)).toString('base64url');

function token() {
  const iat = Math.floor(Date.now() / 1000);
  const claims = { iss: ISSUER, aud: AUDIENCE, sub: 'backend', client_id: 'backend', scope: SCOPE, jti: randomUUID() };
  const text = `${encoded({ alg: 'ES256', kid: 'k1', typ: 'at+jwt' })}.${encoded({ ...claims, iat, exp: iat + 3600 })}`;
  const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${text}.${signature.toString('base64url')}`;
}

const ANSWERS = { '/.well-known/jwks.json': () => JSON.stringify(KEYS), '/token': token };
createServer({ key: readFileSync('/issuer/key.pem'), cert: readFileSync('/issuer/cert.pem') }, ({ url }, answer) => {
  const body = ANSWERS[url]?.();
  answer.writeHead(body === undefined ? 404 : 200).end(body);
}).listen(443);
