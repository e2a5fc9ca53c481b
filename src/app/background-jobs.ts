import type { Container } from './container.js';
import type { EndJob, JobReports } from '../platform/noun/noun.js';

/** Begins what one process does for all that serve behind the same port. Gives functions that end it. */
export async function startBackgroundJobs(
  container: Container,
  reports: Omit<JobReports, 'tasks'>,
): Promise<readonly EndJob[]> {
  if (!container.together.leads) return [];
  const begun: EndJob[] = [];
  const all = { ...reports, tasks: container.nouns.tasks(container) };
  for (const { jobs } of container.nouns.all) begun.push(...((await jobs?.(container as never, all)) ?? []));
  return begun;
}
