import { expect, test } from 'vitest';
import { formatTraceparent, parseTraceparent } from '../../../server/telemetry/traceparent.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

test.each([
  [`00-${TRACE}-${SPAN}-01`, 1],
  [`00-${TRACE}-${SPAN}-00`, 0],
  // Flags that this version does not know are dropped, later versions are read as far as this one goes.
  [`00-${TRACE}-${SPAN}-ff`, 1],
  [`cc-${TRACE}-${SPAN}-01-what-comes`, 1],
])('parseTraceparent() reads %s', (header, traceFlags) => {
  expect(parseTraceparent(header)).toEqual({ traceId: TRACE, spanId: SPAN, traceFlags, isRemote: true });
});

test.each([
  undefined,
  '',
  `00-${TRACE}-${SPAN}-01-more`,
  `ff-${TRACE}-${SPAN}-01`,
  `00-${TRACE.toUpperCase()}-${SPAN}-01`,
  `00-${'0'.repeat(32)}-${SPAN}-01`,
  `00-${TRACE}-${'0'.repeat(16)}-01`,
  `00-${TRACE}-${SPAN}`,
  `cc-${TRACE}-${SPAN}-01-${'x'.repeat(600)}`,
])('parseTraceparent() takes %s for none', (header) => {
  expect(parseTraceparent(header)).toBeUndefined();
});

test('formatTraceparent() writes what parseTraceparent() reads', () => {
  const header = `00-${TRACE}-${SPAN}-01`;
  expect(formatTraceparent(parseTraceparent(header)!)).toBe(header);
});
