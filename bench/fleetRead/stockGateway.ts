/** The peer: a stock `@apollo/gateway` with a `RemoteGraphQLDataSource` per member, behind a stock Apollo Server. Arguments: the members' addresses. */
import { composeServices } from '@apollo/composition';
import { ApolloGateway, RemoteGraphQLDataSource } from '@apollo/gateway';
import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import { parse } from 'graphql';
import { stockTypeDefs } from './rows.ts';

const urls = process.argv.slice(2);
const services = urls.map((url, index) => ({
  name: `member${index}`,
  url: `${url}/graphql`,
  typeDefs: parse(stockTypeDefs(`tasks${index}`)),
}));
const { supergraphSdl, errors } = composeServices(services);
if (!supergraphSdl) throw new Error(`Cannot compose: ${errors?.map(({ message }) => message).join('; ')}`);
const gateway = new ApolloGateway({
  supergraphSdl,
  buildService: ({ url }) => new RemoteGraphQLDataSource({ url }),
});
const { url } = await startStandaloneServer(new ApolloServer({ gateway }), {
  listen: { host: '127.0.0.1', port: 0 },
});
process.stdout.write(`${JSON.stringify({ url: url.replace(/\/$/, '') })}\n`);
process.once('disconnect', () => process.exit());
