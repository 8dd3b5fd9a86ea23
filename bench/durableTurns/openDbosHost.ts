import { DBOS } from '@dbos-inc/dbos-sdk';
import { startPostgres } from './Postgres.ts';
import { QUESTION, REPLY, TOOL_ARGUMENTS, TOOL_RESULT, type TurnHost } from './TurnHost.ts';

/** Its default is 10; more connections than that made it no faster. */
const CONNECTIONS = 10;

/**
 * DBOS on a PostgreSQL server of its own: a workflow per turn with a step for each model turn and the tool. A workflow per
 * conversation that receives its messages and sets its replies is the other way; it made fewer turns per second.
 *
 * @param programs folder of PostgreSQL's programs
 */
export async function openDbosHost(directory: string, programs: string): Promise<TurnHost> {
  await using resources = new AsyncDisposableStack();
  const postgres = resources.use(await startPostgres(programs, directory));
  const turn = DBOS.registerWorkflow(takeTurn, { name: 'turn' });
  DBOS.setConfig({
    name: 'bench',
    systemDatabaseUrl: postgres.url,
    systemDatabasePoolSize: CONNECTIONS,
    logLevel: 'error',
  });
  resources.defer(() => DBOS.shutdown());
  await DBOS.launch();
  const owned = resources.move();
  return {
    // Nothing of a conversation is kept between its turns.
    async open() {},
    async turn(conversation, number) {
      const workflowID = `${conversation}-${number}`;
      const handle = await DBOS.startWorkflow(turn, { workflowID })(QUESTION);
      await handle.getResult();
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

interface Call {
  readonly tool: string;
  readonly arguments: typeof TOOL_ARGUMENTS;
}

async function takeTurn(_question: string): Promise<string> {
  await DBOS.runStep(async (): Promise<Call> => ({ tool: 'orders.find', arguments: TOOL_ARGUMENTS }), {
    name: 'model',
  });
  await DBOS.runStep(async () => TOOL_RESULT, { name: 'tool' });
  return DBOS.runStep(async () => REPLY, { name: 'model' });
}
