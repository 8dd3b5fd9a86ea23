import { expect, test } from 'vitest';
import { type ContractDocument, renderClientOperations } from '../../schema/clientOperations.ts';

/** A contract of one read, whose answer has this schema. */
function contractOf(schema: object, more: object = {}): ContractDocument {
  const content = { 'application/json': { schema } };
  const operation = {
    operationId: 'readThing',
    summary: 'A thing',
    responses: { '200': { content } },
    ...more,
  };
  const schemas = { Event: { type: 'object', properties: {} }, Thing: { type: 'object', properties: {} } };
  const instance = { name: 'instance', in: 'query', description: 'Who', schema: { type: 'string' } };
  return {
    paths: { '/api/v1/thing': { get: operation } },
    components: { parameters: { instance }, schemas },
  } as ContractDocument;
}

test.each([
  [{ type: 'integer' }, 'number'],
  [{ type: ['string', 'null'] }, 'string | null'],
  [{ enum: ['a', 2] }, "'a' | 2"],
  [{ type: 'array' }, 'readonly unknown[]'],
  [{ type: 'array', items: { type: ['string', 'integer'] } }, 'readonly (string | number)[]'],
  [{ type: 'array', items: { type: 'array', items: { type: 'string' } } }, 'readonly (readonly string[])[]'],
  [{ type: 'object' }, 'Readonly<Record<string, unknown>>'],
  [{ type: 'object', additionalProperties: { type: 'string' } }, 'Readonly<Record<string, string>>'],
  [{ $ref: '#/components/schemas/Thing' }, 'Thing'],
  [{ type: 'array', items: { $ref: '#/components/schemas/Thing' } }, 'readonly Thing[]'],
])('%j is %s', (schema, type) => {
  expect(renderClientOperations(contractOf(schema))).toContain(`readThing(): Promise<${type}>;`);
});

test('an object says which fields may be absent, what they default to and whether there are more', () => {
  const properties = {
    a: { type: 'string', description: 'Of it.' },
    'b-c': { type: 'boolean', default: true },
  };
  const schema = { type: 'object', required: ['a'], properties, additionalProperties: true };
  const text = renderClientOperations(contractOf(schema));
  expect(text).toContain('/** Of it. */\n    readonly a: string;');
  expect(text).toContain("/** @default true */\n    readonly 'b-c'?: boolean;");
  expect(text).toContain('readonly [field: string]: unknown;');
});

test('the instance is the last argument and no field, and an input that nothing requires may be left out', () => {
  const parameters = [
    { $ref: '#/components/parameters/instance' },
    { name: 'tail', in: 'query', description: 'How many.', schema: { type: 'integer' } },
    { name: 'X-Other', in: 'header', description: 'Not said.', schema: { type: 'string' } },
  ];
  const text = renderClientOperations(contractOf({ type: 'object' }, { parameters }));
  expect(text).toContain('readThing(input?: ReadThingInput, instance?: string): Promise<');
  expect(text).toContain(
    'export interface ReadThingInput {\n  /** How many. */\n  readonly tail?: number;\n}',
  );
  expect(text).toContain('takesInput: true, takesInstance: true');
});

test.each([
  [{ type: 'decimal' }, '"decimal"'],
  [{ oneOf: [{ type: 'string' }, { type: 'object' }] }, '"oneOf"'],
])('%j, which is not known, is an error', (schema, word) => {
  expect(() => renderClientOperations(contractOf(schema))).toThrow(word);
});
