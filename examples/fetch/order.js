// An order is a request that you want done once, with the key for it. It is on the disk before anything is sent, so
// that whoever starts after a crash goes on with the same key. In a service this is a row of its database, written with
// the rest of what it decided.
import { randomUUID } from 'node:crypto';
import { link, open, readFile, rm } from 'node:fs/promises';

/** The order in this file, or else a new one, kept there. */
export async function keptOrder(file, request) {
  const order = { key: randomUUID(), ...request };
  // Written aside: half an order would be worse than none. `link` fails where there is one, or somebody was quicker.
  const aside = `${file}.${order.key}`;
  try {
    const handle = await open(aside, 'wx', 0o600);
    await handle.writeFile(JSON.stringify(order));
    await handle.sync();
    await handle.close();
    await link(aside, file);
    return order;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return JSON.parse(await readFile(file, 'utf8'));
  } finally {
    await rm(aside, { force: true });
  }
}
