/** How one REST operation is served: one named GraphQL operation and one mapping of its answer. */
import type { TypedDocumentString } from '../../schema/generated/restOperations.ts';
import type { RestInput } from './readInput.ts';

/** What a mapping may know beside the data. */
export interface RestFacts {
  /** A manager stamps its rows with their origin; a worker does not. */
  readonly isManager: boolean;
}

export interface RestBinding<Input, Data, Variables> {
  readonly document: TypedDocumentString<Data, Variables>;
  /** @throws {FlotillaError} BAD_USER_INPUT for what the contract cannot check. */
  toVariables(input: Input): Variables;
  /** Present where the answer may take more than one page of the graph. */
  readonly pages?: {
    /** The variables of the next page; undefined when there is none. */
    next(last: Data, variables: Variables): Variables | undefined;
    join(sofar: Data, last: Data): Data;
  };
  /**
   * Pure.
   *
   * @throws {FlotillaError} NOT_FOUND when the data is that there is none.
   */
  map(data: Data, facts: RestFacts, input: Input): unknown;
}

export interface RestCall {
  readonly facts: RestFacts;
  /** Executes an operation of the graph and gives its data. */
  ask(text: string, variables: Readonly<Record<string, unknown>>): Promise<unknown>;
}

/** Answers a request whose input was checked: the JSON of the contract. */
export type RestHandler = (input: RestInput, call: RestCall) => Promise<unknown>;

/** The contract's check of the input and the codegen of the document are what makes the types here true. */
export function bind<Input, Data, Variables extends Readonly<Record<string, unknown>>>({
  document,
  toVariables,
  pages,
  map,
}: RestBinding<Input, Data, Variables>): RestHandler {
  const text = document.toString();
  return async (input, { ask, facts }) => {
    let variables = toVariables(input as Input);
    let data = (await ask(text, variables)) as Data;
    for (let next = pages?.next(data, variables); pages && next; ) {
      variables = next;
      const page = (await ask(text, variables)) as Data;
      data = pages.join(data, page);
      next = pages.next(page, variables);
    }
    return map(data, facts, input as Input);
  };
}
