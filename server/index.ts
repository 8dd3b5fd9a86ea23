export { createInstance, type Instance, type InstanceOptions } from './instance.ts';
export { StartError } from './StartError.ts';
