/** Two pages that need nothing from outside: the dashboard and GraphiQL with its editor and workers. */
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
      input: [join(import.meta.dirname, 'index.html'), join(import.meta.dirname, 'graphiql.html')],
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
