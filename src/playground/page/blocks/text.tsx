/** Text objects: plain text and Slack's mrkdwn. */
import { Fragment } from 'react';
import type { Json } from '../../protocol.ts';
import { slackDate } from '../dates.ts';
import { useDesk } from '../desk.ts';
import { emojiNamed, withEmoji } from '../emoji.ts';
import { type Inline, type MrkdwnBlock, parseMrkdwn } from '../mrkdwn.ts';
import { nameOf } from '../perspective.ts';
import { asObject, textOf } from '../read-json.ts';

export function TextObject({ of }: { of: Json | undefined }) {
  const object = asObject(of);
  if (object?.type === 'mrkdwn') return <Mrkdwn text={textOf(of)} />;
  return <span className="plain-text">{object?.emoji === false ? textOf(of) : withEmoji(textOf(of))}</span>;
}

export function Mrkdwn({ text }: { text: string }) {
  const blocks = parseMrkdwn(text);
  // One line stays inline, so that it can stand in a label or beside an image.
  const only = blocks.length === 1 ? blocks[0] : undefined;
  if (only?.type === 'line') return <Inlines nodes={only.children} />;
  return (
    <span className="mrkdwn">
      {blocks.map((block, index) => (
        <MrkdwnLine key={index} block={block} />
      ))}
    </span>
  );
}

function MrkdwnLine({ block }: { block: MrkdwnBlock }) {
  switch (block.type) {
    case 'line':
      return <span className="line">{block.children.length === 0 ? <br /> : <Inlines nodes={block.children} />}</span>;
    case 'item':
      return (
        <span className="line item" style={{ '--depth': block.marker.search(/\S/) }}>
          <span className="marker">{block.marker.trim()}&nbsp;</span>
          <span>
            <Inlines nodes={block.children} />
          </span>
        </span>
      );
    case 'quote':
      return (
        <span className="quote">
          {block.lines.map((line, index) => (
            <span className="line" key={index}>
              {line.length === 0 ? <br /> : <Inlines nodes={line} />}
            </span>
          ))}
        </span>
      );
    case 'pre':
      return <code className="pre">{block.text}</code>;
    default:
      return block satisfies never;
  }
}

export function Inlines({ nodes }: { nodes: Inline[] }) {
  return nodes.map((node, index) => (
    <Fragment key={index}>
      <InlineNode node={node} />
    </Fragment>
  ));
}

function InlineNode({ node }: { node: Inline }) {
  const { me, now } = useDesk();
  switch (node.type) {
    case 'text':
      return node.text;
    case 'bold':
      return (
        <strong>
          <Inlines nodes={node.children} />
        </strong>
      );
    case 'italic':
      return (
        <em>
          <Inlines nodes={node.children} />
        </em>
      );
    case 'strike':
      return (
        <s>
          <Inlines nodes={node.children} />
        </s>
      );
    case 'code':
      return <code>{node.text}</code>;
    case 'link':
      return <Link url={node.url}>{node.text}</Link>;
    case 'user':
      return <UserMention id={node.id} />;
    case 'channel':
      return <ChannelMention id={node.id} label={node.text} />;
    case 'broadcast':
      return <span className="mention mention-me">{node.text}</span>;
    case 'date': {
      const text = slackDate(node.seconds, node.format, me, now());
      return node.url ? <Link url={node.url}>{text}</Link> : <time title={node.fallback}>{text}</time>;
    }
    case 'emoji':
      return <Emoji name={node.name} />;
    default:
      return node satisfies never;
  }
}

export function Emoji({ name }: { name: string }) {
  const glyph = emojiNamed(name);
  return glyph ? (
    <span className="emoji" role="img" aria-label={name.replaceAll('_', ' ')} title={`:${name}:`}>
      {glyph}
    </span>
  ) : (
    `:${name}:`
  );
}

/** Only what a browser may follow safely becomes a link. */
export function Link({ url, children }: { url: string; children: React.ReactNode }) {
  if (!/^(https?:|mailto:|tel:)/i.test(url)) return children;
  return (
    <a href={url} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}

export function UserMention({ id }: { id: string }) {
  const { world, me } = useDesk();
  return <span className={id === me.id ? 'mention mention-me' : 'mention'}>@{nameOf(world, id)}</span>;
}

export function ChannelMention({ id, label }: { id: string; label?: string | undefined }) {
  const { world, go } = useDesk();
  const channel = world.channels[id];
  if (!channel) return <span className="mention">#{label ?? id}</span>;
  return (
    <button type="button" className="mention" onClick={() => go({ channel: id })}>
      #{channel.name}
    </button>
  );
}
