/** The process graph of a work item, and what is read from a checkout. */
import {
  GraphAdvanceDocument,
  GraphCheckDocument,
  GraphCompleteDocument,
  GraphForceDocument,
  GraphReposDocument,
  GraphShowDocument,
  GraphSkipDocument,
  RepoCriticRunDocument,
  RepoCriticsDocument,
  RepoInstructionsDocument,
  RepoReviewPolicyDocument,
  RepoScenariosDocument,
} from '../../../schema/generated/restOperations.ts';
import { bind, type RestHandler } from '../bind.ts';
import { passOn } from '../mappings/answers.ts';
import { type ByInstance, toInstance, withoutEmpty } from './inputs.ts';

interface ByCheckout extends ByInstance {
  readonly repo: string;
}

interface OfGraph extends ByCheckout {
  readonly pr: number | null;
  readonly prRepo: string;
  readonly specDir: string;
}

interface OfItem extends OfGraph {
  readonly workItem: string;
}

interface OfRef extends OfItem {
  readonly ref: string;
}

interface ByActor extends OfRef {
  readonly actor: string;
}

export const CHECKOUT_BINDINGS: Readonly<Record<string, RestHandler>> = {
  graphShow: bind({
    document: GraphShowDocument,
    toVariables: (input: OfGraph) => withoutEmpty(input),
    map: passOn,
  }),
  graphCheck: bind({
    document: GraphCheckDocument,
    toVariables: (input: OfItem & { readonly recompute: boolean }) => withoutEmpty(input),
    map: passOn,
  }),
  graphComplete: bind({
    document: GraphCompleteDocument,
    toVariables: (input: ByActor & { readonly node: string }) => withoutEmpty(input),
    map: passOn,
  }),
  graphAdvance: bind({
    document: GraphAdvanceDocument,
    toVariables: (input: OfRef) => withoutEmpty(input),
    map: passOn,
  }),
  graphForce: bind({
    document: GraphForceDocument,
    toVariables: (input: ByActor & { readonly toNode: string; readonly reason: string }) =>
      withoutEmpty(input),
    map: passOn,
  }),
  graphSkip: bind({
    document: GraphSkipDocument,
    toVariables: (input: ByActor & { readonly nodes: readonly string[]; readonly reason: string }) =>
      withoutEmpty(input),
    map: passOn,
  }),
  graphRepos: bind({
    document: GraphReposDocument,
    toVariables: (
      input: OfRef & { readonly repositories: readonly string[] | null; readonly clear: boolean },
    ) => withoutEmpty(input),
    map: passOn,
  }),
  repoScenarios: bind({
    document: RepoScenariosDocument,
    toVariables: ({ repo, glob, ...key }: ByCheckout & { readonly glob: readonly string[] }) => ({
      repo,
      globs: glob,
      ...toInstance(key),
    }),
    map: passOn,
  }),
  repoInstructions: bind({
    document: RepoInstructionsDocument,
    toVariables: ({
      repo,
      doc,
      onMissing,
      ...key
    }: ByCheckout & { readonly doc: readonly string[]; readonly onMissing: string }) => ({
      repo,
      docs: doc,
      onMissing,
      ...toInstance(key),
    }),
    map: passOn,
  }),
  repoCritics: bind({
    document: RepoCriticsDocument,
    toVariables: (input: ByCheckout) => withoutEmpty(input),
    map: passOn,
  }),
  repoReviewPolicy: bind({
    document: RepoReviewPolicyDocument,
    toVariables: (input: ByCheckout) => withoutEmpty(input),
    map: passOn,
  }),
  repoCriticRun: bind({
    document: RepoCriticRunDocument,
    toVariables: (input: CriticInput) => withoutEmpty(input),
    map: passOn,
  }),
};

interface CriticInput extends ByCheckout {
  readonly name: string;
  readonly prompt: string;
  readonly promptFile: string;
  readonly workItem: string;
  readonly specDir: string;
  readonly timeout: number | null;
  readonly cwd: string;
}
