import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { importing } from '../cli/importing.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { PROGRAM } from '../support/given.js';
import { pngOf } from '../support/png.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

/** What becomes of a record with these changes. */
async function became(changes: object) {
  const programId = gateway.given.program();
  const [outcome] = await importing(gateway, 'programs', programId, [{ programId, ...PROGRAM, ...changes }]);
  return outcome;
}

const lines = (count: number): string[] => Array.from({ length: count }, (_, index) => `Line ${index + 1}`);

describe('a record', () => {
  test.each([
    ['with everything', { clients: ['core', 'https://app.example/'] }],
    ['with a name alone', { letterhead: null, payer: null, errorResolution: null }],
    ['in other alphabets', { name: '東京銀行 🏦', letterhead: { name: 'بنك', addressLines: ['Großkamp 1'] } }],
    ['with six lines of an address', { letterhead: { name: 'X', addressLines: lines(6) } }],
  ])('%s is taken', async (_what, changes) => {
    expect(await became(changes)).toBe('new');
  });

  test.each([
    ['no name', { name: ' ' }, ['/name text']],
    ['an unknown field', { colour: 'red' }, ['/colour unknown_field']],
    ['seven lines', { letterhead: { name: 'X', addressLines: lines(7) } }, ['/letterhead/addressLines size']],
    ['an empty line', { letterhead: { name: 'X', addressLines: ['a', ' '] } }, ['/letterhead/addressLines/1 format']],
    ['a line of two lines', { letterhead: { name: 'a\nb' } }, ['/letterhead/name text']],
    ['a tax id without hyphen', { payer: { name: 'X', taxId: '123456789' } }, ['/payer/taxId format']],
    ['the tax id of nobody', { payer: { name: 'X', taxId: '00-0000000' } }, ['/payer/taxId format']],
    ['a tax id with a prefix that is none', { payer: { name: 'X', taxId: '00-1234567' } }, ['/payer/taxId format']],
    ['a person as payer', { payer: { name: 'X', taxId: '900-00-1234' } }, ['/payer/taxId format']],
    [
      'a contact without address',
      { errorResolution: { telephone: '1', addressLines: [] } },
      ['/errorResolution/addressLines size'],
    ],
    [
      'a contact without telephone',
      { errorResolution: { addressLines: ['1 Quay'] } },
      ['/errorResolution/telephone required'],
    ],
    ['a client twice', { clients: ['a', 'a'] }, ['/clients/1 distinct']],
    [
      'several mistakes',
      { name: '', payer: { taxId: 'x' }, clients: [''] },
      ['/name text', '/payer/name required', '/payer/taxId format', '/clients/0 format'],
    ],
  ])('with %s is refused', async (_what, changes, problems) => {
    expect(new Set(await became(changes))).toEqual(new Set(problems));
  });
});

describe('a logo', () => {
  const png = (bytes: Buffer) => ({ logo: { png: bytes.toString('base64') } });
  const path = (svgPath: string, more: object = {}) => ({ logo: { svgPath, viewBox: [0, 0, 24, 24], ...more } });

  test.each([
    ['a PNG', png(pngOf({ width: 1200, height: 40 }))],
    ['an arc with flags that are run together', path('M0 0 a4 4 0 018 8')],
    ['outlines', path('M2 2h20v20H2zm4,4 8-1.5e1.5 3Q1 1 2 2t3 3')],
    ['outlines in a colour', path('m 0,0 L 24 24 C 1 2 3 4 5 6 7 8 9 10 11 12 Z', { color: '#1F4e5f' })],
    ['arcs with separated flags', path('M0 0 a 4 4 0 0 1 8 8 4 4 0 1,0 -8 -8')],
  ])('can be %s', async (_what, changes) => {
    expect(await became(changes)).toBe('new');
  });

  test.each([
    ['no PNG', png(Buffer.from('not a picture')), '/logo/png picture'],
    ['a PNG that is cut', png(pngOf().subarray(0, 60)), '/logo/png picture'],
    ['a PNG that is too wide', png(pngOf({ width: 1201 })), '/logo/png picture'],
    ['more than 64 kB', { logo: { png: 'A'.repeat(90_000) } }, '/logo/png picture'],
    ['no base64', { logo: { png: 'data:image/png;base64,AAAA' } }, '/logo/png picture'],
    ['a path that begins with a line', path('L1 1'), '/logo/svgPath picture'],
    ['a command that does not exist', path('M1 1 X2 2'), '/logo/svgPath picture'],
    ['markup', path('M1 1"/><script>alert(1)</script>'), '/logo/svgPath picture'],
    ['a reference', path('M1 1 url(https://evil.example)'), '/logo/svgPath picture'],
    ['a command with a number too few', path('M1 1 L2'), '/logo/svgPath picture'],
    ['a command with numbers it has not', path('M1 1 Z 4'), '/logo/svgPath picture'],
    ['a number that is none', path('M1 1 L1 1e999'), '/logo/svgPath picture'],
    ['a very long path', path(`M0 0${'L1 1'.repeat(9000)}`), '/logo/svgPath picture'],
    ['a path without a size', { logo: { svgPath: 'M1 1' } }, '/logo/svgPath together'],
    ['a size of three numbers', path('M1 1', { viewBox: [0, 0, 5] }), '/logo/viewBox picture'],
    ['an empty size', path('M1 1', { viewBox: [0, 0, 0, 5] }), '/logo/viewBox picture'],
    ['a colour by name', path('M1 1', { color: 'red' }), '/logo/color format'],
    [
      'a colour without outlines',
      { logo: { png: pngOf().toString('base64'), color: '#000000' } },
      '/logo/color together',
    ],
    ['nothing', { logo: {} }, '/logo picture'],
    [
      'both kinds',
      { logo: { png: pngOf().toString('base64'), svgPath: 'M1 1', viewBox: [0, 0, 1, 1] } },
      '/logo picture',
    ],
  ])('cannot be %s', async (_what, changes, problem) => {
    expect(await became(changes)).toEqual([problem]);
  });
});
