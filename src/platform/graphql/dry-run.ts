/** How the schema describes the argument of a mutation that can be asked as a dry run. */
export const DRY_RUN = {
  defaultValue: false,
  description: 'True to check everything and write nothing.',
};
