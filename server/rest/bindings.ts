/** Every operation of the contract that answers with JSON: its GraphQL operation and its mapping, by operationId. */
import type { RestHandler } from './bind.ts';
import { CHECKOUT_BINDINGS } from './bindings/checkoutBindings.ts';
import { EVENT_BINDINGS } from './bindings/eventBindings.ts';
import { INSTANCE_BINDINGS } from './bindings/instanceBindings.ts';
import { SESSION_BINDINGS } from './bindings/sessionBindings.ts';
import { TRACKER_BINDINGS } from './bindings/trackerBindings.ts';

export const BINDINGS: Readonly<Record<string, RestHandler>> = {
  ...INSTANCE_BINDINGS,
  ...SESSION_BINDINGS,
  ...TRACKER_BINDINGS,
  ...CHECKOUT_BINDINGS,
  ...EVENT_BINDINGS,
};
