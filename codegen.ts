/** What `npm run generate` derives from the SDL. */
import type { CodegenConfig } from '@graphql-codegen/cli';

const scalars = {
  DateTime: 'string',
  JSON: 'unknown',
  Offset: 'number',
  _FieldSet: 'string',
  ID: { input: 'string', output: 'string' },
};

const config: CodegenConfig = {
  schema: 'schema/instance.graphql',
  generates: {
    'schema/generated/resolvers.ts': {
      plugins: ['typescript', 'typescript-resolvers'],
      config: {
        scalars,
        strictScalars: true,
        useTypeImports: true,
        enumsAsTypes: true,
        federation: true,
        useIndexSignature: false,
        maybeValue: 'T | null | undefined',
      },
    },
  },
};

export default config;
