import 'reflect-metadata';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { HoldersInput } from '../../../src/bank/account/ownership/ownership.inputs.js';
import { BeneficiaryInput, BeneficiaryPatch } from '../../../src/bank/beneficiary/beneficiary.inputs.js';
import { readInput } from '../../../src/platform/input/read-input.js';
import type { InputClass } from '../../../src/platform/input/input.js';
import { InvalidInput } from '../../../src/shared/errors.js';
import { anyCharacters } from '../../support/any-characters.js';
import { leastBeneficiary, newBeneficiary } from '../../support/given.js';
import { rounds } from '../../support/rounds.js';

const CLASSES: InputClass[] = [BeneficiaryInput, BeneficiaryPatch, HoldersInput];

const names = [
  ...Object.keys(newBeneficiary()),
  'first',
  'last',
  'line1',
  'type',
  'email',
  'number',
  'country',
  'holders',
  'customerId',
  '__proto__',
  'constructor',
  'toString',
  '',
];
/** JSON that looks like input often enough to come far into it. */
const { json } = fc.letrec<{ json: unknown }>(tie => ({
  json: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.oneof(
      fc.constantFrom(
        null,
        true,
        0,
        -0,
        1e99,
        '',
        'HOME',
        'PRIMARY',
        'CHILD',
        'US',
        '123456789',
        '1990-01-01',
        '*****6789',
        '\ud800',
        '\u0000',
      ),
      anyCharacters(),
      fc.double(),
    ),
    fc.array(tie('json'), { maxLength: 4 }),
    fc
      .array(fc.tuple(fc.oneof(fc.constantFrom(...names), fc.string()), tie('json')), { maxLength: 8 })
      .map(
        entries =>
          JSON.parse(
            `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value) ?? 'null'}`).join(',')}}`,
          ) as unknown,
      ),
  ),
}));

function problemsOf(target: InputClass, value: unknown): InvalidInput | null {
  try {
    readInput(target, value);
    return null;
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    return error;
  }
}

test.each(CLASSES)('%p: any JSON is read, or refused with a few problems that have pointers and codes', target => {
  fc.assert(
    fc.property(json, value => {
      const refusal = problemsOf(target, value);
      if (!refusal) return;
      expect(refusal.errors.length).toBeGreaterThan(0);
      expect(refusal.errors.length).toBeLessThanOrEqual(50);
      for (const { pointer, code, detail } of refusal.errors) {
        expect(pointer).toMatch(/^(\/\w+)*$/);
        expect(code).toMatch(/^[a-z_]+$/);
        expect(detail).not.toBe('');
      }
    }),
    { numRuns: rounds(500) },
  );
});

test('good input with one field replaced by anything is read, or that field is refused', () => {
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(newBeneficiary())), json, (name, value) => {
      const refusal = problemsOf(BeneficiaryInput, newBeneficiary({ [name]: value }));
      const places = refusal?.errors.map(({ pointer }) => pointer.split('/')[1]) ?? [];
      // A tax id and its type come together, so each may be missed for the other's sake.
      for (const place of places) {
        expect(name === 'taxId' || name === 'taxIdType' ? ['taxId', 'taxIdType'] : [name]).toContain(place);
      }
    }),
    { numRuns: rounds(500) },
  );
});

test('no problem repeats the value that was sent', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.keys(newBeneficiary())),
      fc.string({ unit: fc.constantFrom('q', 'Q', '7'), minLength: 6 }),
      (name, secret) => {
        const refusal = problemsOf(BeneficiaryInput, newBeneficiary({ [name]: [secret, { [name]: secret }] }));
        expect(refusal).not.toBeNull();
        expect(JSON.stringify([refusal?.message, refusal?.errors])).not.toContain(secret);
      },
    ),
  );
});

test('what is read is read the same once more, and has the classes of its type', () => {
  fc.assert(
    fc.property(json, value => {
      if (problemsOf(BeneficiaryPatch, value)) return;
      const read = readInput(BeneficiaryPatch, value);
      expect(read).toBeInstanceOf(BeneficiaryPatch);
      expect(JSON.stringify(readInput(BeneficiaryPatch, JSON.parse(JSON.stringify(read))))).toBe(JSON.stringify(read));
    }),
    { numRuns: rounds(300) },
  );
});

describe('input as a whole', () => {
  test.each([[null], [undefined], [[]], ['text'], [5], [true]])('that is %j is no object', value => {
    for (const target of CLASSES) {
      expect(problemsOf(target, value)).toMatchObject({ kind: 'malformed', errors: [{ pointer: '' }] });
    }
  });

  test('keeps absent and null apart', () => {
    expect(Object.keys(readInput(BeneficiaryPatch, {}))).toEqual([]);
    expect({ ...readInput(BeneficiaryPatch, { taxId: null, emails: null }) }).toEqual({ taxId: null, emails: null });
  });

  test('names a wrong shape before a broken rule, and all of each', () => {
    const both = problemsOf(BeneficiaryInput, leastBeneficiary({ sharePercentage: 101, relationship: 5, x: 1 }));
    expect([both?.kind, both?.errors.map(({ code }) => code)]).toEqual([
      'malformed',
      ['unknown_field', 'wrong_type', 'range'],
    ]);
    const rules = problemsOf(BeneficiaryInput, leastBeneficiary({ sharePercentage: 101, dateOfBirth: '3000-01-01' }));
    expect([rules?.kind, rules?.errors.map(({ code }) => code).sort()]).toEqual([
      'rule_broken',
      ['past_date', 'range'],
    ]);
  });
});
