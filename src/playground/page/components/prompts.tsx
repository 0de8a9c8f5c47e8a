/** What a chat with the app offers to say: a click says it. */
import type { PlaygroundPrompts } from '../../protocol.ts';
import { useDesk } from '../desk.ts';

export function Prompts({ offered }: { offered: PlaygroundPrompts | undefined }) {
  const { act, go } = useDesk();
  if (!offered) return null;
  const { channel, thread_ts, title, prompts } = offered;
  const say = async (text: string): Promise<void> => {
    const done = await act({ do: 'say', channel, text, ...(thread_ts === undefined ? {} : { thread_ts }) });
    if (done.ok && done.ts) go({ channel, thread: thread_ts ?? done.ts });
  };
  return (
    <section className="prompts" aria-label={title ?? 'Suggested prompts'}>
      {title && <p>{title}</p>}
      {prompts.map((prompt, index) => (
        <button key={index} type="button" className="button" title={prompt.message} onClick={() => say(prompt.message)}>
          {prompt.title}
        </button>
      ))}
    </section>
  );
}
