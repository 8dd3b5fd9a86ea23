/** Answers that pass through whole: those of a tracker, and what is said about a checkout (spec/rest-shapes.md § 13). */
import type {
  CheckoutAnswerFragment,
  TrackerAnswerFragment,
} from '../../../schema/generated/restOperations.ts';
import { isRow, stampedDocument } from '../rows.ts';

/** Maps the one root field of an operation, which answers with JSON and with the instance where that is another one. */
export function passOn(data: Readonly<Record<string, unknown>>): unknown {
  const { answer, instance } = Object.values(data)[0] as TrackerAnswerFragment | CheckoutAnswerFragment;
  return Array.isArray(answer) ? answer.map((row) => proxied(row, instance)) : proxied(answer, instance);
}

/** Another instance's own word is stamped, ours is not (spec/manager.md § 10.1). */
function proxied(value: unknown, instance: string | null): unknown {
  return isRow(value) ? stampedDocument(value, instance) : value;
}
