/** Begins the name of a group of tests that are not run; the reason follows. The reporter reads it. */
export const NOT_RUN = 'not run: ';
