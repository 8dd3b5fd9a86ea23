/** What `npm run generate` derives from the SDL. */
import type { CodegenConfig } from '@graphql-codegen/cli';

const scalars = {
  DateTime: 'string',
  JSON: 'unknown',
  Offset: 'number',
  Count: 'number',
  _FieldSet: 'string',
  ID: { input: 'string', output: 'string' },
};

const config: CodegenConfig = {
  schema: 'schema/instance.graphql',
  generates: {
    'schema/generated/cliOperations.ts': {
      documents: 'cli/operations.graphql',
      plugins: ['typescript-operations', 'typed-document-node'],
      config: {
        scalars,
        documentMode: 'string',
        enumType: 'const',
        useTypeImports: true,
        immutableTypes: true,
      },
    },
    'schema/generated/restOperations.ts': {
      documents: 'server/rest/operations.graphql',
      plugins: ['typescript-operations', 'typed-document-node'],
      config: {
        scalars,
        documentMode: 'string',
        enumsAsTypes: true,
        useTypeImports: true,
        immutableTypes: true,
      },
    },
    'schema/generated/resolvers.ts': {
      plugins: ['typescript', 'typescript-resolvers'],
      config: {
        scalars,
        strictScalars: true,
        useTypeImports: true,
        enumsAsTypes: true,
        federation: true,
        defaultMapper: 'Partial<{T}>',
        immutableTypes: true,
        useIndexSignature: false,
        maybeValue: 'T | null | undefined',
      },
    },
    'web/src/gql/': {
      preset: 'client',
      documents: 'web/src/**/*.graphql.ts',
      presetConfig: { fragmentMasking: false },
      config: {
        scalars,
        strictScalars: true,
        useTypeImports: true,
        enumsAsTypes: true,
        immutableTypes: true,
      },
    },
  },
};

export default config;
