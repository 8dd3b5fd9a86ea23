/** The plan of a page for members whose rows are too large to come in the number that the client asks for: pure. */
import { buildMemberDocument } from './MemberDocument.ts';
import type { MemberPlan } from './planRequest.ts';

/** The argument that says how many rows a page has. */
export type PageArgument = 'first' | 'last';

/** Resized plans live as long as the plans that they were made of. */
const resized = new WeakMap<MemberPlan, Partial<Record<PageArgument, MemberPlan>>>();

/** The same page with the number of its rows in the manager's variable `names.pageSize`. */
export function resizePage(plan: MemberPlan, argument: PageArgument): MemberPlan {
  const known = resized.get(plan) ?? {};
  resized.set(plan, known);
  known[argument] ??= build(plan, argument);
  return known[argument];
}

function build(plan: MemberPlan, argument: PageArgument): MemberPlan {
  const { omit, replace } = plan.source.rewrite;
  const rewrite = {
    omit: new Set([...omit, 'first', 'last']),
    replace: new Map([...replace, [argument, { variable: plan.names.pageSize, type: 'Int' }]]),
  };
  const source = { ...plan.source, rewrite };
  return { ...plan, source, request: buildMemberDocument(source) };
}
