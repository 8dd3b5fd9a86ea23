/** What is asked for again and again: the rows of the fleet, and the own daemons for the health word. */
import { graphql } from '../../gql/gql.ts';

export const InstanceRowFields = graphql(`
  fragment InstanceRow on Instance {
    name
    url
    role
    state
    version
    mode
    managedCount
    sessionCount
    probedAt
    detail
  }
`);

/** The own health document lists the own daemons without asking any member, as `daemons` would. */
export const FleetQuery = graphql(`
  query Fleet {
    instances {
      ...InstanceRow
    }
    health {
      ingresses {
        name
        running
      }
    }
  }
`);

export const RegisterInstanceMutation = graphql(`
  mutation RegisterInstance($name: String!, $url: String!) {
    registerInstance(name: $name, url: $url) {
      written
    }
  }
`);

export const UnregisterInstanceMutation = graphql(`
  mutation UnregisterInstance($name: String!) {
    unregisterInstance(name: $name) {
      written
    }
  }
`);
