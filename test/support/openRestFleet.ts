/** A manager over a worker of ours and a service of the REST contract. */
import { type HostileFleet, openHostileFleet } from './HostileFleet.ts';
import { createRestServer, type RestServer, type RestServerOptions } from './RestServer.ts';

export interface RestFleet extends AsyncDisposable {
  readonly fleet: HostileFleet;
  /** The member `rest`, which speaks REST only. */
  readonly rest: RestServer;
}

/** A manager `hq` over a worker `alpha` of ours and a service `rest` of the contract. */
export async function openRestFleet(options: Partial<RestServerOptions> = {}): Promise<RestFleet> {
  await using resources = new AsyncDisposableStack();
  const rest = resources.use(await createRestServer({ name: 'rest', ...options }));
  const fleet = resources.use(
    await openHostileFleet({
      members: { alpha: ['github:o/r#1'] },
      strangers: [{ name: 'rest', url: rest.url }],
    }),
  );
  const owned = resources.move();
  return { fleet, rest, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
