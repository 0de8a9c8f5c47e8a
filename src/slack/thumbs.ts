/** The thumbs under replies: where the operator wants them, and until this Slack refuses a reply because of them. */
import type { Post } from '../thread/ports.ts';

type Outcome = { ok: true } | { ok: false; error: string; reason?: string; code?: string };

export type Thumbs = ReturnType<typeof createThumbs>;

export function createThumbs(wanted: boolean) {
  let on = wanted;
  return {
    /** Attempts it with the thumbs that it has, and once more without if they may be what is refused: a refusal is no post. */
    async deliver<T extends Outcome>(post: Post, attempt: (post: Post) => Promise<T>): Promise<T> {
      const shown = on ? post : bare(post);
      const outcome = await attempt(shown);
      if (shown === bare(shown) || !refusesBlocks(outcome)) return outcome;
      on = false;
      const without = await attempt(bare(shown));
      // It was not for them.
      if (refusesBlocks(without)) on = true;
      return without;
    },
  };
}

/** The same post where it has none. */
function bare(post: Post): Post {
  if (post.body.kind !== 'reply' || post.body.feedback === undefined) return post;
  const { feedback: _, ...body } = post.body;
  return { ...post, body };
}

function refusesBlocks(outcome: Outcome): boolean {
  return !outcome.ok && outcome.error === 'refused' && /block|argument/.test(outcome.code ?? outcome.reason ?? '');
}
