/** Door of the client: `import { createClient } from 'flotilla/client'`. */
export type * from '../schema/generated/clientOperations.ts';
export { ClientError, type ClientErrorCode, type ValidationProblem } from './ClientError.ts';
export { type ClientOptions, createClient, type FlotillaClient, unreachableOf } from './createClient.ts';
export type { StreamFrame, StreamOptions } from './readStream.ts';
