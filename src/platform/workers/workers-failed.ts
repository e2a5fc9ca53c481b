const STATUS_FAILED = 1;

/** No worker can be started. The worker itself has said why. */
export class WorkersFailed extends Error {
  override readonly name = 'WorkersFailed';
  readonly status: number;
  constructor({ status }: { readonly status: number | null }) {
    super('The processes that serve cannot be started.');
    this.status = status === null || status === 0 ? STATUS_FAILED : status;
  }
}
