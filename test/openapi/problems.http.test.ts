import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { GraphQLEnumType } from 'graphql';
import { STATUS_OF } from '../../src/shared/errors.js';
import { FIELD_PROBLEMS } from '../../src/shared/field-problems.js';
import { surfacesOf } from '../../src/shared/problems.js';
import { pages, ROOT, tableUnder } from '../docs/fences.js';
import { contractServed, servedBy, servedSchema } from '../support/served.js';
import { startTestGateway } from '../support/gateway.js';
import type { AnyBody } from '../support/http.js';

const gateway = await startTestGateway();
afterAll(() => gateway.stop());

const PROBLEMS = await servedBy(gateway).problems();
const CODES = Object.keys(PROBLEMS);
const statusOf = (code: string): number => STATUS_OF[PROBLEMS[code]![0]].status;
const isCode = (word: string): boolean => word in PROBLEMS || word in FIELD_PROBLEMS;

/** Every problem of the document: where it may be answered, with which status and code. */
async function problemsDocumented(): Promise<
  { status: number; codes: string[]; examples: AnyBody[]; description: string }[]
> {
  const contract = await contractServed(gateway);
  const { document } = contract;
  const responses = [
    ...Object.values(document['paths'] as object)
      .flatMap(Object.values)
      .flatMap(({ responses: each }) => Object.values(each as object)),
    ...Object.values(document['components'].responses as object),
  ] as AnyBody[];
  return responses.flatMap(({ content, description }) => {
    const problem = content?.['application/problem+json'];
    if (!problem) return [];
    const { status, code } = problem.schema.allOf[1].properties;
    const examples = Object.values(problem.examples as object).map(one => contract.resolved(one, '')[0]);
    return [{ status: status.const, codes: code.enum, examples, description }];
  });
}

test('the type of a problem is an address that opens, at the place of its code', async () => {
  const { body } = await gateway.as(await gateway.caller()).rest.get('/accounts/nowhere/beneficiaries');
  expect(body.type).toBe('/problems#account_not_found');
  const { href, hash } = new URL(body.type, gateway.url);
  const page = await (await fetch(href)).text();
  expect(page).toContain(`id="${hash.slice(1)}"`);
});

test('a request that cannot be read gets such a type as well', async () => {
  const answer = await gateway.http.sendBytes('nonsense\r\n\r\n');
  expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '').type).toBe('/problems#malformed_request');
});

describe('the page', () => {
  test('has the status, the kind, the meaning, the remedy and the APIs of every code', async () => {
    const page = await (await fetch(`${gateway.url}/problems`)).text();
    const text = (html: string) =>
      html
        .replaceAll(/<\/?code>/g, '')
        .replaceAll(/<[^>]*>/g, ' ')
        .replaceAll(/&#(\d+);/g, (_, number) => String.fromCharCode(Number(number)))
        .replaceAll(/\s+/g, ' ');
    for (const code of CODES) {
      const [, article = ''] = new RegExp(`<article id="${code}">(.*?)</article>`, 's').exec(page) ?? [];
      const [kind, ...sentences] = PROBLEMS[code]!;
      for (const part of [statusOf(code), kind, ...surfacesOf(code), ...sentences]) {
        expect([code, text(article)]).toEqual([code, expect.stringContaining(String(part).replaceAll('`', ''))]);
      }
    }
    for (const code of Object.keys(FIELD_PROBLEMS)) expect(page).toContain(`id="field-${code}"`);
  });

  test('has one place for each code, and no other', async () => {
    const page = await (await fetch(`${gateway.url}/problems`)).text();
    const ids = [...page.matchAll(/<article id="(\w+)">/g)].map(([, id]) => id);
    expect(new Set(ids)).toEqual(new Set(CODES));
    expect(ids).toHaveLength(CODES.length);
  });
});

describe('the OpenAPI document', () => {
  test('has codes of REST alone, each with its status and its type', async () => {
    const documented = await problemsDocumented();
    expect(documented.length).toBeGreaterThan(50);
    for (const { status, codes, examples, description } of documented) {
      for (const code of codes) {
        expect([code, statusOf(code), surfacesOf(code)]).toEqual([code, status, expect.arrayContaining(['REST'])]);
        expect(description).toContain(`\`${code}\``);
      }
      expect(examples.map(({ value }) => value.code)).toEqual(codes);
      for (const { summary, description: remedy, value } of examples) {
        const [, ...sentences] = PROBLEMS[value.code]!;
        expect([value.type, summary, remedy]).toEqual([`/problems#${value.code}`, ...sentences]);
      }
    }
  });

  test('has every code that comes over REST', async () => {
    const documented = new Set((await problemsDocumented()).flatMap(({ codes }) => codes));
    const ofRest = CODES.filter(code => surfacesOf(code).includes('REST'));
    // The one is of a transfer among several, in the answer; no operation is documented at a method that its path
    // lacks.
    expect(ofRest.filter(code => !documented.has(code))).toEqual(['transfer_waits', 'method_not_allowed']);
  });
});

describe('the docs', () => {
  test('tell every code as the table of the code does', async () => {
    const known = CODES.map(code => {
      const [, meaning, remedy] = PROBLEMS[code]!;
      return [`\`${code}\``, String(statusOf(code)), surfacesOf(code).join(', '), `${meaning} ${remedy}`];
    });
    const told = await tableUnder('docs/problems.md', '## Codes');
    expect(told).toEqual(expect.arrayContaining(known));
    expect(told).toHaveLength(known.length);
  });

  test('tell every code of a field as the table of the code does', async () => {
    const known = Object.entries(FIELD_PROBLEMS).map(([code, meaning]) => [`\`${code}\``, meaning]);
    expect(await tableUnder('docs/problems.md', '## Codes of single fields')).toEqual(known);
  });

  /** Pages about the gateway's own APIs. Others have names of PostgreSQL and of issuers in the same form. */
  const CLIENTS_READ = /^docs\/(rest|graphql|clients|limits|problems|getting-started)\.md$|^examples\//;

  test('name no code that there is not', async () => {
    const steps = (await servedSchema(gateway)).getType('TaxStepCode') as GraphQLEnumType;
    // Names of claims, and codes of steps of a tax year, which those pages have as well.
    const others = new Set(['client_id', 'customer_id', ...steps.getValues().map(({ name }) => name)]);
    const unknown: string[] = [];
    let count = 0;
    for (const file of await pages()) {
      const text = await readFile(join(ROOT, file), 'utf8');
      const named = [
        ...text.matchAll(/"code":\s*"([^"]+)"/g),
        ...text.matchAll(/\b[45]\d\d `([a-z_]+)`/g),
        ...(CLIENTS_READ.test(file) ? text.matchAll(/`([a-z]+(?:_[a-z]+)+|[A-Z]+_[A-Z_]+(?:FAILED|FOUND))`/g) : []),
      ].map(([, word = '']) => word);
      count += named.length;
      unknown.push(...named.filter(word => !isCode(word) && !others.has(word)).map(word => `${file}: ${word}`));
    }
    expect(count).toBeGreaterThan(100);
    expect(unknown).toEqual([]);
  });
});
