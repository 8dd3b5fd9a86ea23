/** The thread of `createComposer`: composes one list of subgraphs after the other. */
import { parentPort, workerData } from 'node:worker_threads';
import { createComposeJoined, type SubgraphText } from './composeJoined.ts';

const compose = createComposeJoined(workerData as readonly SubgraphText[]);

parentPort?.on('message', (joined: readonly SubgraphText[]) => parentPort?.postMessage(compose(joined)));
