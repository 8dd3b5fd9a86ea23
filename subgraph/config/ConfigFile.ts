/** The one reader and writer of an instance's configuration file: port. */
import type { Config } from '../../schema/config/ConfigSchema.ts';

export interface ConfigFile {
  /** Absolute path of the file. */
  readonly path: string;
  /** The value in force. Re-reads the file first when it changed; an unreadable edit keeps the last good value and warns once. Frozen. */
  current(): Config;
  /** The document as authored, secrets included only as references. */
  authored(): { readonly exists: boolean; readonly document: unknown };
  /**
   * Applies a JSON Merge Patch (RFC 7396) by splicing the text: comments, order and quoting stay. Writers are serialised; the file is
   * replaced atomically, a symlink followed, its mode kept. Nothing is written when nothing changed or when the merged document is invalid.
   * An edit by hand at the same time is not overwritten.
   * @throws {FlotillaError} BAD_USER_INPUT when the patch is no mapping or the merged document is invalid, `details.keys` names the keys;
   * EDIT_REFUSED when the spliced text does not read back as the merged document, or the file cannot be read or written.
   */
  update(patch: unknown): Promise<ConfigUpdateResult>;
  /**
   * As `update`, with a patch that depends on what the file says: for a list that grows or shrinks by one entry.
   * @param plan the patch of the document as it is when the write's turn has come. Pure: called again, a few times at most, when the file
   * is edited by hand meanwhile. Its throw ends the edit with the file as it was.
   */
  edit(plan: (document: unknown) => unknown): Promise<ConfigUpdateResult>;
}

export interface ConfigUpdateResult {
  readonly path: string;
  readonly exists: boolean;
  readonly changed: readonly string[];
  readonly restartRequired: readonly string[];
  readonly written: boolean;
  readonly config: unknown;
}
