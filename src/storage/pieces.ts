/** Keys of pieces: what runs and transcripts keep apart from their records. A piece never changes once it is written. */
import type { Store } from './store.ts';

const PAGE = 500;

/** Where the pieces of a run or thread are, without the kind. `/` ends the name: nobody's pieces are found under another's. */
export function piecesOf(owner: 'run' | 'thread', id: string): string {
  return `${owner}/${id.replace(/[%/]/g, encodeURIComponent)}/`;
}

/** Numbers in keys are padded, so that the order of keys is theirs. */
export const padded = (index: number) => String(index).padStart(8, '0');

export async function deletePieces(store: Store, owner: 'run' | 'thread', id: string): Promise<void> {
  for (;;) {
    const keys = await store.list(`piece/${piecesOf(owner, id)}`, undefined, PAGE);
    await Promise.all(keys.map((key) => store.delete(key)));
    if (keys.length < PAGE) return;
  }
}
