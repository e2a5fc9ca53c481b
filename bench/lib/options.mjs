// Options of the commands: numbers, lists and switches after their defaults.
import { parseArgs } from 'node:util';
import { Failure } from './run.mjs';

/**
 * Reads `--name value` for each default; what is a number, a list or a switch there is one here. Refuses what it does
 * not know. With `--quick` the defaults are those of `quick`.
 */
export function readOptions(defaults, quick = {}, args = process.argv.slice(2)) {
  const spec = Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => [
      name,
      { type: typeof value === 'boolean' ? 'boolean' : 'string' },
    ]),
  );
  let values;
  try {
    ({ values } = parseArgs({ options: spec, args }));
  } catch (error) {
    throw new Failure(
      `${error.message}\nOptions: ${Object.keys(defaults)
        .map(name => `--${name}`)
        .join(' ')}`,
    );
  }
  const options = { ...defaults, ...(values.quick && quick) };
  for (const [name, value] of Object.entries(values)) {
    if (Array.isArray(defaults[name])) options[name] = value.split(',');
    else if (typeof defaults[name] === 'number') options[name] = numberOf(name, value);
    else options[name] = value;
  }
  return options;
}

function numberOf(name, text) {
  const number = Number(text.replaceAll('_', ''));
  if (!(number >= 0)) throw new Failure(`--${name} must be a number.`);
  return number;
}

export function refuseUnknown(names, known, option) {
  const unknown = names.filter(name => !known.includes(name));
  if (unknown.length > 0) throw new Failure(`${option}: ${unknown.join(', ')}? There are ${known.join(', ')}.`);
}
