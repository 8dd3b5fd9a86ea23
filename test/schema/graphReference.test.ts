import { expect, test } from 'vitest';
import { renderGraphReference } from '../../schema/graphReference.ts';

test('renderGraphReference() tells of every type: root fields with their route first, then the others by name', () => {
  const text = renderGraphReference(`
      directive @fleet(route: FleetRoute!) on FIELD_DEFINITION
      enum FleetRoute { "Asks one." BY_REF }
      "A word."
      scalar Word
      type Query { "The one." task(ref: ID!, first: Int = 5): Task @fleet(route: BY_REF) }
      type Task { ref: ID! "What it is." name: Word }
      union Any = Task
      input New { name: Word = "x" }
    `);
  expect(text.slice(text.indexOf('##'))).toBe(`## How a field crosses the fleet

- \`BY_REF\`: Asks one.

## Query

- \`task(ref: ID!, first: Int = 5): Task\` BY_REF: The one.

## \`Any\`

One of these types.

- \`Task\`

## \`New\`

Input.

- \`name: Word = "x"\`

## \`Task\`

- \`ref: ID!\`
- \`name: Word\`: What it is.

## \`Word\`

Scalar. A word.
`);
});
