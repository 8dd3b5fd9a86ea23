/** Hooks that are functions of a test, at the points that it names. */
import type { FiredPoint, HookContext } from '../../subgraph/hooks/HookContext.ts';
import type { HookOperation, HookPhase } from '../../subgraph/hooks/HookPoint.ts';
import type { HookResult, HookRunner } from '../../subgraph/hooks/HookRunner.ts';

/** By point; undefined passes the context through. */
export type FakeHookBodies = {
  readonly [Point in FiredPoint]?: (
    context: HookContext<Point>,
  ) => HookResult<HookContext<Point>> | undefined;
};

type AnyBody = (context: unknown) => HookResult<never> | undefined;

export class FakeHooks implements HookRunner {
  /** Points that were asked, in order, with the context. */
  readonly asked: { readonly point: string; readonly context: unknown }[] = [];
  readonly #bodies: FakeHookBodies;

  constructor(bodies: FakeHookBodies) {
    this.#bodies = bodies;
  }

  has(operation: HookOperation, phase: HookPhase): boolean {
    return `${operation}.${phase}` in this.#bodies;
  }

  readonly run: HookRunner['run'] = async (operation, phase, context) => {
    const point = `${operation}.${phase}`;
    const body = (this.#bodies as Readonly<Record<string, AnyBody>>)[point];
    if (body) this.asked.push({ point, context });
    return body?.(context) ?? { context };
  };
}
