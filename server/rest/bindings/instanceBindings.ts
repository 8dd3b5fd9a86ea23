/** Instances, their configuration and their services. */
import {
  ControlDaemonDocument,
  GetConfigDocument,
  GetConfigSchemaDocument,
  GetInstanceDocument,
  HealthDocument,
  ListAttentionDocument,
  ListDaemonsDocument,
  ListInstancesDocument,
  RegisterInstanceDocument,
  RestartDocument,
  UnregisterInstanceDocument,
  UpdateConfigDocument,
} from '../../../schema/generated/restOperations.ts';
import { bind, type RestHandler } from '../bind.ts';
import {
  getInstance,
  health,
  listInstances,
  registerInstance,
  unregisterInstance,
} from '../mappings/instances.ts';
import {
  controlDaemon,
  getConfig,
  getConfigSchema,
  listAttention,
  listDaemons,
  restart,
  updateConfig,
} from '../mappings/operations.ts';
import { type ByInstance, toInstance } from './inputs.ts';

export const INSTANCE_BINDINGS: Readonly<Record<string, RestHandler>> = {
  health: bind({ document: HealthDocument, toVariables: toInstance, map: health }),
  getInstance: bind({ document: GetInstanceDocument, toVariables: toInstance, map: getInstance }),
  listInstances: bind({ document: ListInstancesDocument, toVariables: () => ({}), map: listInstances }),
  registerInstance: bind({
    document: RegisterInstanceDocument,
    toVariables: ({ name, url }: { readonly name: string; readonly url: string }) => ({ name, url }),
    map: registerInstance,
  }),
  unregisterInstance: bind({
    document: UnregisterInstanceDocument,
    toVariables: ({ name }: { readonly name: string }) => ({ name }),
    map: unregisterInstance,
  }),
  getConfig: bind({ document: GetConfigDocument, toVariables: toInstance, map: getConfig }),
  updateConfig: bind({
    document: UpdateConfigDocument,
    toVariables: ({ patch, ...key }: ByInstance & { readonly patch: unknown }) => ({
      patch,
      ...toInstance(key),
    }),
    map: updateConfig,
  }),
  getConfigSchema: bind({ document: GetConfigSchemaDocument, toVariables: toInstance, map: getConfigSchema }),
  listAttention: bind({ document: ListAttentionDocument, toVariables: () => ({}), map: listAttention }),
  listDaemons: bind({ document: ListDaemonsDocument, toVariables: () => ({}), map: listDaemons }),
  controlDaemon: bind({
    document: ControlDaemonDocument,
    toVariables: ({
      daemon,
      verb,
      ...key
    }: ByInstance & { readonly daemon: string; readonly verb: string }) => ({
      daemon,
      verb,
      ...toInstance(key),
    }),
    map: controlDaemon,
  }),
  restart: bind({
    document: RestartDocument,
    toVariables: ({ withUpgrade, ...key }: ByInstance & { readonly withUpgrade: boolean }) => ({
      withUpgrade,
      ...toInstance(key),
    }),
    map: restart,
  }),
};
