/** Door of the client: `import { createClient } from 'flotilla/client'`. */
export type { ValidationProblem } from '../schema/errors.ts';
export type * from '../schema/generated/clientOperations.ts';
export { ClientError, type ClientErrorCode } from './ClientError.ts';
export { type ClientOptions, createClient, type FlotillaClient, unreachableOf } from './createClient.ts';
export type { StreamFrame, StreamOptions } from './readStream.ts';
