import { readFile, readdir } from 'node:fs/promises';
import { expect, test } from '@jest/globals';

const ROOT = new URL('../../', import.meta.url);
/** They need nothing, or the project itself. */
const WITHOUT_PACKAGES = ['curl', 'nicknames'];

async function packagesOf(folder: string): Promise<Record<string, string>> {
  const { dependencies, devDependencies } = JSON.parse(await readFile(new URL(`${folder}package.json`, ROOT), 'utf8'));
  return { ...dependencies, ...devDependencies };
}

test('what an example needs is what the project installs, in the same versions', async () => {
  const client: { version: string } = JSON.parse(await readFile(new URL('packages/client/package.json', ROOT), 'utf8'));
  const installed = { ...(await packagesOf('')), '@tillgate/client': client.version };
  const folders = await readdir(new URL('examples/', ROOT), { withFileTypes: true });
  for (const { name } of folders.filter(entry => entry.isDirectory() && !WITHOUT_PACKAGES.includes(entry.name))) {
    expect(installed).toMatchObject(await packagesOf(`examples/${name}/`));
  }
});

test('what the console and the project both need has the same version in both', async () => {
  const [project, console] = await Promise.all([packagesOf(''), packagesOf('packages/console/')]);
  const shared = Object.entries(console).filter(([name]) => name in project);
  expect(shared.length).toBeGreaterThan(0);
  expect(project).toMatchObject(Object.fromEntries(shared));
});
