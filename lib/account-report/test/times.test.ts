import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ofxTimes } from '../times.js';

test.each([
  ['UTC', '2026-03-01', '20260301120000[0:UTC]'],
  ['America/New_York', '2026-03-01', '20260301093000[-5:EST]'],
  ['America/New_York', '2026-07-01', '20260701100000[-4:EDT]'],
  ['Pacific/Auckland', '2026-03-01', '20260301183000[13:LCL]'],
  ['Pacific/Kiritimati', '2026-03-01', '20260301190000[14:LCL]'],
  ['Asia/Kathmandu', '2026-03-01', '20260301145200[5.75:LCL]'],
  ['America/St_Johns', '2026-01-05', '20260105101500[-3.5:LCL]'],
])('a day in %s is a time with the offset of the account: %s', (timeZone, day, time) => {
  expect(ofxTimes(timeZone)(day)).toBe(time);
});

/** The day of a time as readers take it: as it is written, in Greenwich, and in the zone of its user. */
function daysOf(time: string, timeZone: string): string[] {
  const [, year, month, date, hour, minute, offset] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)00\[(-?\d+(?:\.\d{1,2})?):[A-Z]{2,5}\]$/.exec(time) ?? [];
  const written = `${year}-${month}-${date}`;
  const instant = new Date(Date.parse(`${written}T${hour}:${minute}:00Z`) - Number(offset) * 3_600_000);
  return [
    written,
    instant.toISOString().slice(0, 10),
    new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(instant),
  ];
}

test('every day of every zone is the same day for all readers', () => {
  const day = fc.date({ min: new Date('1900-01-01'), max: new Date('2099-12-31'), noInvalidDate: true });
  // Samoa had no such day: it went over the date line.
  const skipped = new Set(['2011-12-30', '1994-12-31', '1995-01-01', '1993-08-21']);
  fc.assert(
    fc.property(fc.constantFrom(...Intl.supportedValuesOf('timeZone')), day, (timeZone, date) => {
      const one = date.toISOString().slice(0, 10);
      fc.pre(!skipped.has(one));
      expect(daysOf(ofxTimes(timeZone)(one), timeZone)).toEqual([one, one, one]);
    }),
  );
});
