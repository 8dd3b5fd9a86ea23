/** The part of Swagger UI that is used here; its package brings no types. */
declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  export interface SwaggerUIOptions {
    readonly dom_id: string;
    readonly url: string;
    readonly deepLinking?: boolean;
    readonly docExpansion?: 'list' | 'full' | 'none';
    readonly validatorUrl?: string | null;
  }
  // biome-ignore lint/style/noDefaultExport: it is how the package exports it.
  export default function SwaggerUI(options: SwaggerUIOptions): unknown;
}
