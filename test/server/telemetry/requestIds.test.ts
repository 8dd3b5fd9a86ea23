import { expect, test } from 'vitest';
import { toRequestIds } from '../../../server/telemetry/requestIds.ts';

const ids = { newId: () => 'made', random: () => 0 };

test.each(['a', '7f2c', 'build-1.2_3', 'x'.repeat(64)])(
  'toRequestIds() takes %s over, and gives members an id of ours',
  (header) => {
    expect(toRequestIds(header, ids)).toEqual({ own: header, outgoing: 'made' });
  },
);

test.each([undefined, '', '-a', 'a b', 'a\nb', 'a,b', 'ä', 'x'.repeat(65), ['a', 'b']])(
  'toRequestIds() makes an id in place of %j',
  (header) => {
    expect(toRequestIds(header, ids)).toEqual({ own: 'made', outgoing: 'made' });
  },
);
