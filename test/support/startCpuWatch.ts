/** What work costs, however busy the machine is. */

/**
 * Begins to measure the processor time of this thread.
 *
 * @returns tells the milliseconds so far; what others of the machine take meanwhile is not among them.
 */
export function startCpuWatch(): () => number {
  const before = process.threadCpuUsage();
  return () => {
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  };
}
