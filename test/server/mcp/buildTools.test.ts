import { expect, test } from 'vitest';
import { buildTools } from '../../../server/mcp/buildTools.ts';
import { compileArguments } from '../../../server/mcp/compileArguments.ts';
import { NEVER_TOOLS, TOOLS } from '../../../server/mcp/TOOLS.ts';
import { BINDINGS } from '../../../server/rest/bindings.ts';
import { readContract } from '../../../server/rest/readContract.ts';

const contract = readContract();
const tools = buildTools(contract, TOOLS);

function tool(name: string) {
  const found = tools.find((known) => known.name === name);
  if (!found) throw new Error(`There is no ${name}`);
  return found;
}

test('every operation of the contract is a tool once or never is one', () => {
  const named = [...TOOLS.map(({ operationId }) => operationId), ...NEVER_TOOLS];
  expect(named.toSorted()).toEqual(contract.operations.map(({ operationId }) => operationId).toSorted());
});

test('every tool has a name of its own and something that serves it', () => {
  expect(new Set(TOOLS.map(({ name }) => name)).size).toBe(TOOLS.length);
  for (const { operationId } of tools) expect(BINDINGS, operationId).toHaveProperty(operationId);
});

test('a tool has the description of its operation, and its parameters with theirs', () => {
  expect(tool('session_transcript').listing).toEqual({
    name: 'session_transcript',
    description: 'What was said and done in a session. 404 also where there is nothing to read yet.',
    annotations: { readOnlyHint: true },
    inputSchema: {
      type: 'object',
      properties: {
        ref: { type: 'string', description: 'The work item, `provider:[host/]owner/repo#number`.' },
        tail: {
          type: 'integer',
          minimum: 0,
          maximum: 2_147_483_647,
          default: 200,
          description: 'How many of the newest entries are told; 0 tells all, up to 10,000.',
        },
        instance: {
          type: 'string',
          default: '',
          description: 'The instance that answers; empty is the one that is asked.',
        },
      },
      required: ['ref'],
      additionalProperties: false,
    },
  });
});

test('every argument of every tool is described', () => {
  for (const { name, inputSchema } of tools) {
    for (const [argument, { description }] of Object.entries(inputSchema.properties)) {
      expect(description, `${name}.${argument}`).toMatch(/\S.*\.$/);
    }
  }
});

test('instance is taken exactly where the operation takes it, last, and is never required', () => {
  for (const { name, operationId, inputSchema } of tools) {
    const { parameters, body } = contract.operations.find((known) => known.operationId === operationId)!;
    const taken = [...parameters.map((parameter) => parameter.name), ...Object.keys(body?.properties ?? {})];
    const names = Object.keys(inputSchema.properties);
    expect(names.toSorted(), name).toEqual(taken.toSorted());
    expect(names.indexOf('instance'), name).toBe(taken.includes('instance') ? names.length - 1 : -1);
    expect(inputSchema.required, name).not.toContain('instance');
  }
});

test('every tool checks its arguments', () => {
  for (const entry of tools) {
    const refused = entry.inputSchema.required.length > 0 ? {} : { unknown: 1 };
    expect(() => compileArguments(entry)(refused), entry.name).toThrow(`Cannot call ${entry.name}: `);
  }
});

test('what only reads says so, and what may end something as well', () => {
  expect(tool('list_work_items').listing.annotations).toEqual({ readOnlyHint: true });
  expect(tool('create_ticket').listing.annotations).toEqual({ readOnlyHint: false, destructiveHint: false });
  expect(tool('merge_pull_request').listing.annotations).toEqual({
    readOnlyHint: false,
    destructiveHint: true,
  });
});

test('an entry without an operation is a defect', () => {
  expect(() => buildTools(contract, [{ name: 'fly', operationId: 'fly' }])).toThrow('fly');
});
