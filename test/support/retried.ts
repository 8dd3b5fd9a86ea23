/** What a caller does who is told to come back. */
import { type ErrorCode, FlotillaError } from '../../schema/errors.ts';

/** Tries again as long as `work` is refused with this code; the test's own time limit ends it. */
export async function retried<T>(code: ErrorCode, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof FlotillaError) || error.code !== code) throw error;
    }
  }
}
