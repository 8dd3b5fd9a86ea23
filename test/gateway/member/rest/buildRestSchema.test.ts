import { isObjectType } from 'graphql';
import { describe, expect, test } from 'vitest';
import { buildRestSchema } from '../../../../gateway/member/rest/buildRestSchema.ts';
import { REST_FIELDS } from '../../../../gateway/member/rest/restFields.ts';
import { instanceTypeDefs } from '../../../../subgraph/index.ts';

describe('buildRestSchema()', () => {
  const schema = buildRestSchema(instanceTypeDefs());
  const types = Object.entries(REST_FIELDS).filter(([name]) => name !== 'Subscription');

  test.each(types)('every field that is answered of %s is one of the SDL', (name, fields) => {
    const type = schema.getType(name);
    const known = isObjectType(type) ? Object.keys(type.getFields()) : [];
    const answered = Object.keys(fields).filter((field) => field !== '__resolveReference');
    expect(answered.filter((field) => !known.includes(field))).toEqual([]);
  });

  test('what is not answered is not there', () => {
    expect(schema.getSubscriptionType()).toBeUndefined();
    const lacking = {
      Query: ['commands', 'instances'],
      Mutation: ['createTask', 'runCommand', 'cancelTask'],
    };
    for (const [name, fields] of Object.entries(lacking)) {
      const type = schema.getType(name);
      const known = isObjectType(type) ? Object.keys(type.getFields()) : [];
      expect(fields.filter((field) => known.includes(field))).toEqual([]);
    }
  });
});
