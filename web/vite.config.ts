/** Three pages that need nothing from outside: the dashboard, GraphiQL with its editor and workers, and the REST contract. */
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  // Relative addresses: the pages work under any path of a reverse proxy.
  base: './',
  plugins: [react()],
  build: {
    outDir: join(import.meta.dirname, '../dist/web'),
    emptyOutDir: true,
    // GraphiQL's editor is one chunk of 2.7 MB, loaded by its own page only.
    chunkSizeWarningLimit: 3000,
    rolldownOptions: {
      input: ['index.html', 'graphiql.html', 'api/docs.html'].map((page) => join(import.meta.dirname, page)),
      // GraphiQL ships with directives for a compiler that is not used here.
      checks: { moduleLevelDirective: false },
    },
  },
  server: {
    // `npx vite web` beside a running instance, which answers to its own address only.
    proxy: {
      '/graphql': { target: 'http://127.0.0.1:4114', ws: true, changeOrigin: true, rewriteWsOrigin: true },
    },
  },
});
