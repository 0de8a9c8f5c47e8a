import type { Ids } from './ids.ts';
import type { StoredFile } from './wire.ts';

type Held = StoredFile & { content: Buffer };

export type FileStore = ReturnType<typeof createFileStore>;

/** Files that people attached and that the bot uploaded. */
export function createFileStore(ids: Ids) {
  const files = new Map<string, Held>();
  const uploads = new Map<string, { id: string; name: string; length: number; content?: Buffer }>();

  return {
    add(name: string, mimetype: string, content: Buffer): StoredFile {
      const file = { id: ids.next('F'), name, mimetype, size: content.length };
      files.set(file.id, { ...file, content });
      return file;
    },
    get: (id: string): Held | undefined => files.get(id),

    /** First of the two calls of an upload: an address to send the bytes to. */
    begin(name: string, length: number): { id: string; path: string } {
      const id = ids.next('F');
      const path = `/upload/${ids.hex(24)}`;
      uploads.set(path, { id, name, length });
      return { id, path };
    },

    receive(path: string, content: Buffer): boolean {
      const upload = uploads.get(path);
      if (!upload || upload.length !== content.length) return false;
      upload.content = content;
      return true;
    },

    /** Second call: the file exists; undefined when its bytes never came. */
    complete(id: string): StoredFile | undefined {
      const upload = [...uploads.values()].find((entry) => entry.id === id);
      if (!upload?.content) return undefined;
      const file = { id, name: upload.name, mimetype: 'application/octet-stream', size: upload.content.length };
      files.set(id, { ...file, content: upload.content });
      return file;
    },
  };
}
