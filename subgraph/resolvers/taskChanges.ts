/** What requests to change a task become for the engine. Pure. */
import { badUserInput } from '../../schema/errors.ts';
import type {
  CriterionInput,
  TaskBudgetInput,
  TaskSettingsInput,
  UpdateTaskInput,
} from '../../schema/generated/resolvers.ts';
import { findModelProblem } from '../commands/findModelProblem.ts';
import type { NewInput } from '../engine/TaskEngine.ts';
import type { BudgetChanged, Criterion, EnvelopeReceived, SettingsChanged } from '../task/index.ts';
import { toMicros } from './money.ts';
import { toParticipants } from './participants.ts';
import { checkText } from './texts.ts';

const MAX_CRITERIA = 100;

/** Longest name of a model, in characters. */
const MAX_MODEL_LENGTH = 128;

/** Highest limit of the cost, in the currency of the prices. */
const MAX_COST = 1_000_000;

/**
 * A change of the task's own record, as the envelope that asks for it (spec/worker.md § 5.6).
 *
 * @throws {FlotillaError} BAD_USER_INPUT naming the field that cannot be taken.
 */
export function toEnvelope(input: UpdateTaskInput): NewInput<EnvelopeReceived>['envelope'] {
  const { name, description, acceptanceCriteria, participants } = input;
  return {
    kind: 'task',
    payload: {
      ...(isGiven(name) && { name: checkText('name', name) }),
      ...(isGiven(description) && { description: checkDescription(description) }),
      ...(acceptanceCriteria && {
        acceptance_criteria: checkCriteria(acceptanceCriteria).map(({ text, met }) => ({ text, met })),
      }),
      ...(participants && {
        participants: toParticipants(participants).map(({ id, kind, role, displayName }) => ({
          id,
          kind: kind.toLowerCase(),
          role: role.toLowerCase(),
          display_name: displayName,
        })),
      }),
    },
  };
}

/** @throws {FlotillaError} BAD_USER_INPUT for a model that is none or not allowed. */
export function toSettingsChange(
  { model, effort }: TaskSettingsInput,
  allowedModels: readonly string[],
): Pick<SettingsChanged, 'model' | 'effort'> {
  if (isGiven(model) && (model === '' || /\s/.test(model) || model.length > MAX_MODEL_LENGTH)) {
    throw badUserInput(
      `Cannot set model: "settings.model" is not a model name, 1 to ${MAX_MODEL_LENGTH} characters without white space are expected`,
    );
  }
  const problem = isGiven(model) ? findModelProblem(model, allowedModels) : undefined;
  if (problem !== undefined) throw badUserInput(`Cannot set model: ${problem}`);
  return { ...(model !== undefined && { model }), ...(effort !== undefined && { effort }) };
}

/** @throws {FlotillaError} BAD_USER_INPUT for a cost outside 0 to 1,000,000. */
export function toBudgetChange({
  turns,
  tokens,
  cost,
}: TaskBudgetInput): Pick<BudgetChanged, 'turns' | 'tokens' | 'costMicros'> {
  if (isGiven(cost) && !(cost >= 0 && cost <= MAX_COST)) {
    throw badUserInput(`Cannot set budget: "cost" is ${cost}, 0 to ${MAX_COST} is expected`);
  }
  return {
    ...(turns !== undefined && { turns }),
    ...(tokens !== undefined && { tokens }),
    ...(cost !== undefined && { costMicros: cost === null ? null : toMicros(cost) }),
  };
}

/** @throws {FlotillaError} BAD_USER_INPUT for a text that is blank or too long, and for too many. */
export function checkCriteria(criteria: readonly CriterionInput[]): readonly Criterion[] {
  if (criteria.length > MAX_CRITERIA) {
    throw badUserInput(
      `Cannot read acceptance criteria: there are ${criteria.length}, at most ${MAX_CRITERIA} are expected`,
    );
  }
  return criteria.map(({ text, met }) => ({ text: checkText('criterion', text), met: met ?? false }));
}

/** An empty description is one that is taken away. @throws {FlotillaError} BAD_USER_INPUT for one that is too long. */
export function checkDescription(description: string): string {
  return description === '' ? '' : checkText('description', description);
}

function isGiven<Value>(value: Value | null | undefined): value is Value {
  return value !== null && value !== undefined;
}
