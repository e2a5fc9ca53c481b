import { randomUUID } from 'node:crypto';
import type { Canaries, Person } from './canaries.js';
import type { CanaryGateway } from './house.js';
import type { CanaryRecords } from './records.js';

/** Headers of every kind, tokens and what is no request of HTTP. */
export async function sendBadHeaders(
  house: CanaryGateway,
  canaries: Canaries,
  { account }: CanaryRecords,
): Promise<void> {
  const token = await house.caller();
  const list = `/accounts/${account}/beneficiaries`;
  const person = canaries.person('stray', 'bad headers');
  const { taxId, email, governmentId, phone } = person;
  const plain = phone.replaceAll(' ', '');
  const headers: Record<string, string>[] = [
    { authorization: `Bearer ${taxId}` },
    { authorization: `Basic ${Buffer.from(`${email}:${taxId}`).toString('base64')}` },
    { authorization: `${email} ${phone}` },
    { authorization: `Bearer ${token}${governmentId}` },
    { authorization: `Bearer ${unsigned(person)}` },
    { 'content-type': `${email}/${taxId}` },
    { 'content-encoding': governmentId },
    { 'x-idempotency-key': `${taxId}/${plain}`, 'idempotency-key': `${email}/${governmentId}` },
    { 'x-idempotency-key': `${taxId} ${phone}` },
    ...agents(person),
    { accept: `${email}/${taxId}`, 'accept-language': phone, 'if-none-match': governmentId },
    { 'apollo-require-preflight': taxId, 'x-apollo-operation-name': email },
    { [email.replaceAll(/[^\w]/g, '-')]: phone },
  ];
  for (const header of headers) {
    for (const path of [list, '/graphql']) {
      await house.ask(token, { method: 'POST', path, headers: header, body: { name: email } });
      await house.ask(token, { path, headers: header });
    }
  }
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const fields = { grant_type: taxId, client_id: email, client_secret: phone, scope: governmentId, customer_id: taxId };
  await house.ask(null, {
    method: 'POST',
    path: '/oauth/token',
    headers: form,
    body: new URLSearchParams(fields).toString(),
  });
  await house.askInBytes(`GET / HTTP/1.1\r\nHost: x\r\nBad Header: ${taxId} ${email}\r\n\r\n`);
  await house.askInBytes(`${taxId} ${email} ${phone}\r\n\r\n`);
  await house.askInBytes(
    `POST ${list} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{"taxId":"${taxId}"`,
  );
}

/** Personal data where the name of a program belongs, alone and as a version. */
function agents({ taxId, email, governmentId, phone, birthDate, streets }: Person): Record<string, string>[] {
  const values = [taxId, taxId.replaceAll('-', ''), email, governmentId, phone, phone.replaceAll(/\D/g, ''), birthDate];
  const sent = [...values, streets[0].replace('ø', 'o'), values.join(' '), `(${values.join('; ')})`];
  return sent.flatMap(value => [value, `Teller/${value}`]).map(agent => ({ 'user-agent': agent }));
}

/** A token that nobody signed, whose claims are canaries. */
function unsigned({ taxId, email, phone }: Person): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'ES256', typ: 'at+jwt', kid: taxId })}.${part({ sub: email, client_id: phone, program: taxId })}.${part({ taxId })}`;
}

/** Query parameters, known and unknown. */
export async function sendBadQueries(
  house: CanaryGateway,
  canaries: Canaries,
  { account }: CanaryRecords,
): Promise<void> {
  const token = await house.caller();
  const list = `/accounts/${account}/beneficiaries`;
  const person = canaries.person('stray', 'bad queries');
  const card = canaries.card('stray', 'bad queries');
  const { taxId, governmentId, email, phone, birthDate, streets } = person;
  const transactions = list.replace('beneficiaries', 'transactions');
  for (const value of [taxId, governmentId, email, phone, birthDate, ...streets, card.number, card.pin]) {
    const text = encodeURIComponent(value);
    const document = encodeURIComponent(`{ account(accountId: "${card.number}") { accountId } }`);
    const paths = [
      ...['limit', 'offSet', text, 'x'].map(name => `${list}?${name}=${text}`),
      ...['startTime', 'minAmount', 'status', 'category', 'snapshot'].map(name => `${transactions}?${name}=${text}!`),
      ...['variables', 'operationName', 'extensions'].map(name => `/graphql?query=${document}&${name}=${text}`),
    ];
    for (const path of paths) await house.ask(token, { path, headers: { 'apollo-require-preflight': 'yes' } });
    await house.ask(token, { method: 'DELETE', path: `${list}/${randomUUID()}?taxId=${text}` });
  }
}

/**
 * Personal data as segments of paths and as ids of requests. Without government ids, which nothing tells from the ids
 * that belong there: both have letters and digits, and whoever asks for an account that is not there wants to find its
 * id in the log.
 */
export async function sendBadPaths(house: CanaryGateway, canaries: Canaries, given: CanaryRecords): Promise<void> {
  const token = await house.caller();
  const { taxId, email, phone, birthDate, streets } = canaries.person('stray', 'paths');
  const { number, pin } = canaries.card('stray', 'paths');
  const values = [
    taxId,
    taxId.replaceAll('-', ''),
    email,
    phone,
    phone.replaceAll(/\D/g, ''),
    birthDate,
    ...streets,
    number,
    pin,
  ];
  for (const value of values) {
    const text = encodeURIComponent(value);
    for (const caller of [token, null]) {
      for (const path of [
        `/accounts/${text}/beneficiaries`,
        `/accounts/${given.account}/beneficiaries/${text}`,
        `/${text}`,
        `/accounts/${text}/Statements/${text}`,
        `/graphql/${text}`,
      ]) {
        await house.ask(caller, { path });
        await house.ask(caller, { path, method: 'DELETE' });
      }
    }
    await house.ask(token, { path: '/livez', headers: { 'x-request-id': text } });
    await house.ask(token, {
      path: `/accounts/${given.account}/beneficiaries`,
      headers: { 'x-request-id': value.replaceAll(/[^\w.-]/g, '') },
    });
  }
}
