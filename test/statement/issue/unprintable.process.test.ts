import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { read } from '../../../lib/typeset/test/reading.js';
import { ADDRESSES, NAMES, type AwkwardName } from '../../support/awkward-people.js';
import { startTestGateway, type TestGateway } from '../../support/gateway.js';
import { formsOf, issue, leftOutOf, post, statementsOf } from './issuing.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

/** Two accounts of a program with interest in a month. The owner of the second one has this name. */
async function givenTwo(last: string) {
  const program = gateway.given.program();
  const [plain, other] = [await gateway.given.account({ program }), await gateway.given.account({ program })];
  await gateway.sql.query('UPDATE customer SET name_last = $2 WHERE customer_id = $1', [other.owners[0], last]);
  for (const account of [plain, other]) {
    await post(gateway, account, [{ at: '2025-06-02', amount: '20.00', type: 'INTEREST' }]);
  }
  return { program, plain, other };
}

const RUN =
  'query ($runId: ID!) { statementRun(runId: $runId) { accounts: accountCount issued: issuedCount leftOutCount notDueCount unprintableCount } }';
const NOTE = 'cannot be printed, and are shown as boxes';

test('a form with a name that no font can print is left out alone, unless forms are issued all the same', async () => {
  const { program, plain, other } = await givenTwo('မောင်မောင်');
  const run = await issue(gateway, '1099', '2025', program);
  expect(run).toMatchObject({ accounts: 2, done: 2, issued: 1, leftOut: 1, dead: 0 });
  const leftOut = await leftOutOf(gateway, plain.caller, run.runId);
  expect(leftOut).toEqual([{ accountId: other.account, reasons: ['UNPRINTABLE'] }]);
  expect(await issue(gateway, '1099', '2025', program, true)).toMatchObject({ issued: 1, leftOut: 0, unprintable: 1 });
  expect(await formsOf(gateway, other.account)).toHaveLength(1);
});

test('a statement with such a name says that some letters are boxes, and others do not', async () => {
  const { program, plain, other } = await givenTwo('தமிழ்');
  await gateway.given.account({ program });
  const { runId } = await issue(gateway, 'close', '2025-06', program);
  const { data } = await gateway.as(plain.caller).graphql(RUN, { runId });
  expect(data.statementRun).toEqual({ accounts: 3, issued: 2, leftOutCount: 0, notDueCount: 1, unprintableCount: 1 });
  const texts = [];
  for (const { account } of [plain, other]) {
    const [{ pdf } = { pdf: Buffer.alloc(0) }] = await statementsOf(gateway, account);
    texts.push((await read(pdf)).text);
  }
  expect(texts).toEqual([expect.not.stringContaining(NOTE), expect.stringContaining(NOTE)]);
});

test.each(['Արամյան', 'მაისურაძე', 'አበበ', 'น้ำผึ้ง', 'विद्यार्थी', '山田', 'כהן', 'محمد', 'Παπαδόπουλος', 'Nguyễn'])(
  'a form for %s is issued',
  async last => {
    const { program } = await givenTwo(last);
    expect(await issue(gateway, '1099', '2025', program)).toMatchObject({ issued: 2, leftOut: 0 });
  },
);

/** Scripts for which no font is installed, and a character that the fonts for its script lack. */
const WITHOUT_FONT: ReadonlySet<string> = new Set([
  'Adlm',
  'Beng',
  'Cher',
  'Goth',
  'Khmr',
  'Mong',
  'Mymr',
  'Sinh',
  'Taml',
  'Tibt',
]);
const WITHOUT_GLYPH = 'Han beyond the first plane';

test('documents to people of all scripts say what they cannot print, and print the others', async () => {
  const program = gateway.given.program();
  const accounts = new Map<string, AwkwardName>();
  for (const [index, name] of NAMES.entries()) {
    const address = {
      line2: null,
      line3: null,
      state: null,
      postalCode: null,
      ...ADDRESSES[index % ADDRESSES.length]!,
    };
    const { customer } = await gateway.given.customer({ program, addresses: [{ ...address, type: 'HOME' }] });
    await gateway.sql.query(
      'UPDATE customer SET name_first = $2, name_middle = $3, name_last = $4 WHERE customer_id = $1',
      [customer, name.first ?? '', name.middle ?? null, name.last],
    );
    const given = await gateway.given.account({ program, owners: [customer] });
    await post(gateway, given, [{ at: '2025-06-02', amount: '20.00', type: 'INTEREST' }]);
    accounts.set(given.account, name);
  }
  const expected = NAMES.filter(({ script, what }) => WITHOUT_FONT.has(script) || what === WITHOUT_GLYPH).map(
    ({ what }) => what,
  );
  const forms = await issue(gateway, '1099', '2025', program);
  const caller = await gateway.caller({ program });
  const leftOut = await leftOutOf(gateway, caller, forms.runId);
  expect(leftOut.every(({ reasons }) => reasons.join() === 'UNPRINTABLE')).toBe(true);
  expect(new Set(leftOut.map(({ accountId }) => accounts.get(accountId)?.what))).toEqual(new Set(expected));
  await issue(gateway, 'close', '2025-06', program);
  const withNote = [];
  for (const [account, { what }] of accounts) {
    const [{ pdf } = { pdf: Buffer.alloc(0) }] = await statementsOf(gateway, account);
    if ((await read(pdf)).text.includes(NOTE)) withNote.push(what);
  }
  expect(withNote).toEqual(expected);
});
