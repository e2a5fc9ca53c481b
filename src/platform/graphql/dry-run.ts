/** How the schema describes the argument of a mutation that can be asked as a dry run. */
export const DRY_RUN = {
  defaultValue: false,
  description:
    'Whether it is only tried: the same checks and the same answer, but nothing is written, no event is recorded, and an idempotency key is neither looked up nor used.',
};
