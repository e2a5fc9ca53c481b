// Numbers for people to read.
import { digits } from './report.mjs';

const [DAY, YEAR] = [86_400, 365 * 86_400];

export const power = number => `10^${Math.round(Math.log10(number))}`;
export const whole = number => Math.ceil(number).toLocaleString('en-US');

/** With the digits that can be trusted. */
export function short(number) {
  for (const [unit, name] of [
    [1e9, ' billion'],
    [1e6, ' million'],
  ]) {
    if (number >= unit) return `${digits(number / unit, number >= 10 * unit ? 0 : 1)}${name}`;
  }
  return number >= 100 ? whole(number) : digits(number, number >= 10 ? 0 : 1);
}

export function size(bytes) {
  const [unit, name] = [
    [1e12, 'TB'],
    [1e9, 'GB'],
    [1e6, 'MB'],
    [1e3, 'kB'],
  ].find(([least]) => bytes >= least);
  return `${short(bytes / unit)} ${name}`;
}

export function time(seconds) {
  const [unit, name] = [
    [YEAR, 'years'],
    [DAY, 'days'],
    [3600, 'h'],
    [60, 'min'],
    [1, 's'],
  ].find(([least]) => seconds >= 2 * least);
  return `${short(seconds / unit)} ${name}`;
}
