/** Values that a client wrote into its text, on both roads of a real manager. */
import { parse } from 'graphql';
import { expect, test } from 'vitest';
import { createFleetContext } from '../../../gateway/fleet/FleetContext.ts';
import type { FleetGateway } from '../../../gateway/fleet/FleetGateway.ts';
import { openManager } from '../../support/openManager.ts';

test.each(['execute', 'executeWithPlanner'] as const)(
  'a value that its scalar does not take is refused as on one instance: %s',
  async (road) => {
    await using opened = await openManager();
    const gateway = opened.manager.gateway as FleetGateway;
    const text = '{ events(filter: { since: "yesterday" }) { nodes { type } } }';
    const context = createFleetContext(new AbortController().signal);
    const { data, errors } = await gateway[road]({ document: parse(text), text, context });
    expect(data ?? null).toBeNull();
    expect(errors).toMatchObject([
      { message: expect.stringContaining('RFC 3339'), extensions: { code: 'BAD_USER_INPUT' } },
    ]);
  },
);

test('such a mistake is told before anything of the operation is done', async () => {
  await using manager = await openManager();
  const { data, errors } = await manager.ask(
    '{ health { status } events(filter: { since: "yesterday" }) { nodes { type } } }',
  );
  expect(data).toBeUndefined();
  expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
});
