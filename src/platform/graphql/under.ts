import { InvalidInput } from '../../shared/errors.js';

/** What a service gives for the input at `pointer` among the arguments of a field. Its pointers start at the input, and a client's at the arguments. */
export async function under<Result>(pointer: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof InvalidInput ? error.under(pointer) : error;
  }
}
