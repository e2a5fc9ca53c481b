/** The field of the input of a mutation that can be asked as a dry run, as the schema describes it. */
export const DRY_RUN = {
  defaultValue: false,
  description: 'True to check everything and write nothing.',
};
