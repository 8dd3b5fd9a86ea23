import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CursorWriter } from '../../../gateway/cursor/CursorWriter.ts';
import { formatFleetCursor } from '../../../gateway/cursor/FleetCursor.ts';

const names = fc.constantFrom('alpha', 'a-b', 'beta', 'b', 'gamma', '0');
const cursors = fc
  .uniqueArray(fc.tuple(names, fc.nat(3)), { selector: ([name]) => name })
  .map((entries) => new Map(entries));

test('CursorWriter writes what formatFleetCursor() writes, whatever it wrote before', () => {
  fc.assert(
    fc.property(fc.array(cursors), (all) => {
      const writer = new CursorWriter();
      expect(all.map((cursor) => writer.write(cursor))).toEqual(all.map(formatFleetCursor));
    }),
  );
});
