/** A server's result as a tool's (spec/worker.md § 8.3). Pure. */
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client';
import type { Json } from '../../task/index.ts';
import type { ToolOutput } from '../ToolDefinition.ts';

/** Texts one below the other; what is no text is named. The error flag is kept. */
export function toToolOutput({ content, structuredContent, isError = false }: CallToolResult): ToolOutput {
  return {
    text: content.map(textOf).join('\n'),
    ...(structuredContent !== undefined && { data: structuredContent as Json }),
    isError,
  };
}

function textOf(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'resource':
      return 'text' in block.resource ? block.resource.text : `[${block.resource.uri} is no text]`;
    case 'resource_link':
      return `[${block.name}: ${block.uri}]`;
    default:
      return `[${block.mimeType} is not shown]`;
  }
}
