/** Root fields of one query that come to the same instance in the same turn share one document. */
import DataLoader from 'dataloader';
import type { FleetEntry } from '../registry/MemberRegistry.ts';
import type { FleetCalls } from './FleetCalls.ts';
import type { AskResult, RootRequest } from './RootRequest.ts';

/** One root field that waits for one instance. */
interface Question {
  readonly entry: FleetEntry;
  readonly request: RootRequest;
}

/** For one request; nothing is kept after its answers. */
export function shareCalls(calls: FleetCalls): RootRequest['askShared'] {
  const loader = new DataLoader<Question, AskResult>((questions) => askQuestions(questions, calls), {
    cache: false,
  });
  return (entry, request) => loader.load({ entry, request });
}

async function askQuestions(questions: readonly Question[], calls: FleetCalls): Promise<AskResult[]> {
  const groups = [...Map.groupBy(questions, ({ entry }) => entry.member).values()];
  const results = new Map<Question, AskResult>();
  await Promise.all(
    groups.map(async (group) => {
      const requests = group.map(({ request }) => request);
      const answers = await calls.askTogether(group[0]!.entry, requests);
      for (const [index, question] of group.entries()) results.set(question, answers[index]!);
    }),
  );
  return questions.map((question) => results.get(question)!);
}
