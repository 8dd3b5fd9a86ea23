/** Orders two versions by their numbers, from the left; a release comes after its own pre-releases (SemVer § 11). */
export function compareVersions(a: string, b: string): number {
  const [coreA, ...preA] = a.split('+')[0]!.split('-');
  const [coreB, ...preB] = b.split('+')[0]!.split('-');
  const order = compareParts(coreA!.split('.'), coreB!.split('.'));
  if (order !== 0) return order;
  if (preA.length === 0 || preB.length === 0) return preB.length - preA.length;
  return compareParts(preA.join('-').split('.'), preB.join('-').split('.'));
}

function compareParts(a: readonly string[], b: readonly string[]): number {
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const [left, right] = [a[index], b[index]];
    if (left === undefined || right === undefined) return left === undefined ? -1 : 1;
    const areNumbers = /^\d+$/.test(left) && /^\d+$/.test(right);
    const order = areNumbers ? Number(left) - Number(right) : Number(left > right) - Number(left < right);
    if (order !== 0) return order;
  }
  return 0;
}
