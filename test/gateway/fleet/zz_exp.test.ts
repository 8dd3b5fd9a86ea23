import { test } from 'vitest';
import { openHostileFleet } from '../../support/HostileFleet.ts';
test('exp', async () => {
  await using fleet = await openHostileFleet({ members: { alpha: ['github:o/x#1'] }, manager: { timeoutSeconds: 10 } });
  for (let i = 0; i < 20; i++) await fleet.worker('alpha').ask('mutation ($input: CreateTaskInput!) { createTask(input: $input) { ref } }', { input: { goal: 'g'.repeat(900_000), ref: `github:o/big#${i}` } });
  let after: string | null = null; 
  for (let n = 0; n < 5; n++) {
    const t = Date.now();
    const { body, headers }: any = await fleet.ask('query($a:String){ tasks(first:50, after:$a){ nodes { ref goal } pageInfo { hasNextPage endCursor } } }', { a: after });
    console.log(Date.now() - t, body.errors, body.extensions, body.data?.tasks.nodes.map((x: any) => x.ref).join(' '), body.data?.tasks.pageInfo.hasNextPage);
    if (!body.data.tasks.pageInfo.hasNextPage) break;
    after = body.data.tasks.pageInfo.endCursor;
  }
  console.log(JSON.stringify(await fleet.events('instance.malformed')).slice(0, 600));
}, 90000);
