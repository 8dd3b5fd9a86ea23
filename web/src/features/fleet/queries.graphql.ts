/** What the fleet strip asks for. */
import { graphql } from '../../gql/gql.ts';

export const InstanceRowFields = graphql(`
  fragment InstanceRow on Instance {
    name
    role
    state
    version
    detail
  }
`);

export const FleetQuery = graphql(`
  query Fleet {
    instances {
      ...InstanceRow
    }
  }
`);
