/** What the page of one instance asks for: each part by itself, so that one that fails leaves the others. */
import { graphql } from '../../gql/gql.ts';

export const InstanceIdentityQuery = graphql(`
  query InstanceIdentity($instance: String) {
    instance(instance: $instance) {
      managed {
        ref
        sources
        instance
      }
    }
  }
`);

/** The rows of every live instance: the graph has no list of one instance's daemons. */
export const DaemonsQuery = graphql(`
  query Daemons {
    daemons {
      instance
      name
      running
      lastCycleAt
    }
  }
`);

export const InstanceHealthQuery = graphql(`
  query InstanceHealth($instance: String) {
    health(instance: $instance) {
      status
      version
      role
      configPath
      stateRoot
    }
  }
`);

export const InstanceConfigQuery = graphql(`
  query InstanceConfig($instance: String) {
    config(instance: $instance) {
      path
      exists
      config
    }
    configSchema(instance: $instance)
  }
`);

/** What the file says now, right before it is written. */
export const ConfigFileQuery = graphql(`
  query ConfigFile($instance: String) {
    config(instance: $instance) {
      path
      exists
      config
    }
  }
`);

export const UpdateConfigMutation = graphql(`
  mutation UpdateConfig($patch: JSON!, $instance: String) {
    updateConfig(patch: $patch, instance: $instance) {
      path
      exists
      changed
      restartRequired
      written
      config
    }
  }
`);

export const ControlDaemonMutation = graphql(`
  mutation ControlDaemon($daemon: String!, $verb: String!, $instance: String) {
    controlDaemon(daemon: $daemon, verb: $verb, instance: $instance) {
      exitCode
      output
    }
  }
`);

export const RestartMutation = graphql(`
  mutation Restart($instance: String) {
    restart(instance: $instance) {
      scheduled
      logfile
    }
  }
`);
