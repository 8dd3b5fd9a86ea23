/** The address of a member (spec/manager.md § 2, V5 and V6). Pure; the reader of the file and `registerInstance` share it. */
import { isHttpUrl } from './isHttpUrl.ts';

/** The normalised URL (trimmed, no `/` at the end, path prefix kept), or undefined when the text is not the address of a member. */
export function parseMemberUrl(text: string): string | undefined {
  const trimmed = text.trim();
  return isHttpUrl(trimmed) ? trimmed.replace(/\/+$/, '') : undefined;
}

/** The literal own address of a service, in the normalised form. */
export function ownAddress({ host, port }: { readonly host: string; readonly port: number }): string {
  return `http://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`;
}
