/** The `markdown` block: CommonMark and GFM, with Slack's mentions and dates, which are plain text to Markdown. */
import Markdown, { defaultUrlTransform } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { slackDate } from '../dates.ts';
import { useDesk } from '../desk.ts';
import { withEmoji } from '../emoji.ts';
import { ChannelMention, Link, UserMention } from './text.tsx';

/** As much of a syntax tree as is needed here. */
type Node = { type: string; value?: string; url?: string; children?: Node[] };

const SIGN = /(<[@#][A-Z0-9]+(?:\|[^>]*)?>|<!date\^\d+\^[^>]*>)/;

/** Turns Slack's signs in text nodes (never in code) into links with a scheme of their own, which `components.a` draws. */
function remarkSlack() {
  const visit = (node: Node): void => {
    node.children = node.children?.flatMap((child): Node[] => {
      visit(child);
      const isSign = child.type === 'html' && SIGN.test(child.value ?? '');
      if (child.type !== 'text' && !isSign) return [child];
      return (child.value ?? '').split(SIGN).map((part, index) =>
        index % 2 === 1
          ? {
              type: 'link',
              url: `slack:${encodeURIComponent(part.slice(1, -1))}`,
              children: [{ type: 'text', value: part }],
            }
          : { type: 'text', value: withEmoji(part) },
      );
    }) as Node[];
  };
  return (tree: Node): void => {
    if (tree.children) visit(tree);
  };
}

export function MarkdownText({ text }: { text: string }) {
  return (
    <div className="markdown">
      <Markdown
        remarkPlugins={[remarkGfm, remarkSlack]}
        urlTransform={(url) => (url.startsWith('slack:') ? url : defaultUrlTransform(url))}
        components={{
          a: ({ href = '', children }) =>
            href.startsWith('slack:') ? (
              <SlackSign sign={decodeURIComponent(href.slice(6))} />
            ) : (
              <Link url={href}>{children}</Link>
            ),
          // Slack shows the image of a markdown block as a link; so nothing is fetched unasked.
          img: ({ src, alt }) => <Link url={typeof src === 'string' ? src : ''}>{alt || 'image'}</Link>,
          table: ({ children }) => (
            <div className="table-scroll">
              <table>{children}</table>
            </div>
          ),
        }}
      >
        {text}
      </Markdown>
    </div>
  );
}

function SlackSign({ sign }: { sign: string }) {
  const { me, now } = useDesk();
  const [target = '', label] = sign.split('|');
  if (target.startsWith('@')) return <UserMention id={target.slice(1)} />;
  if (target.startsWith('#')) return <ChannelMention id={target.slice(1)} label={label} />;
  const [, seconds = '0', pattern = ''] = target.split('^');
  return <time title={label}>{slackDate(Number(seconds), pattern, me, now())}</time>;
}
