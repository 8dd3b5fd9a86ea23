/** Runs `work` at most once at a time; calls while it runs make it run once more afterwards. `work` must not reject. */
export function coalesce(work: () => Promise<void>): () => void {
  let isRunning = false;
  let isAsked = false;
  return async () => {
    isAsked = true;
    if (isRunning) return;
    isRunning = true;
    while (isAsked) {
      isAsked = false;
      await work();
    }
    isRunning = false;
  };
}
