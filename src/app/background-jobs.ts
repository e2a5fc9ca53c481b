import type { Container } from './container.js';
import type { EndJob, JobReports } from '../platform/noun/noun.js';

/** Begins what one process does for all that serve behind the same port. Gives functions that end it. */
export async function startBackgroundJobs(container: Container, reports: JobReports): Promise<readonly EndJob[]> {
  if (!container.together.leads) return [];
  const begun: EndJob[] = [];
  for (const { jobs } of container.nouns.all) begun.push(...((await jobs?.(container as never, reports)) ?? []));
  return begun;
}
