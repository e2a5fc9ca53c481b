import { readManifest } from '../platform/manifest.js';

/**
 * The message to a user of a Node.js that is older than `engines` of package.json asks for; null where it is new
 * enough. Every Node.js that knows `await` in modules (14.8) can run this and what it imports.
 */
export function tooOldNode(running: string): string | null {
  const required = /\d+\.\d+\.\d+/.exec(readManifest().engines.node)?.[0] ?? '';
  if (running.localeCompare(required, 'en', { numeric: true }) >= 0) return null;
  return `Tillgate needs Node.js ${required} or newer, and this is ${running}. Install a newer Node.js, for example from https://nodejs.org.`;
}
