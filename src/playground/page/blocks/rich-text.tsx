/** The `rich_text` block, also inside table cells and task cards. */
import { Fragment } from 'react';
import type { Json } from '../../protocol.ts';
import { slackDate } from '../dates.ts';
import { useDesk } from '../desk.ts';
import { asNumber, asObject, asObjects, asString, type JsonObject } from '../read-json.ts';
import { ChannelMention, Emoji, Link, UserMention } from './text.tsx';

export function RichText({ of }: { of: Json | undefined }) {
  return (
    <div className="rich-text">
      {asObjects(asObject(of)?.elements).map((element, index) => (
        <RichPart key={index} element={element} />
      ))}
    </div>
  );
}

function RichPart({ element }: { element: JsonObject }) {
  const children = asObjects(element.elements);
  switch (element.type) {
    case 'rich_text_section':
      return (
        <div className="rich-section">
          <RichInlines elements={children} />
        </div>
      );
    case 'rich_text_quote':
      return (
        <blockquote>
          <RichInlines elements={children} />
        </blockquote>
      );
    case 'rich_text_preformatted':
      return (
        <pre>
          <RichInlines elements={children} />
        </pre>
      );
    case 'rich_text_list': {
      const List = element.style === 'ordered' ? 'ol' : 'ul';
      const offset = asNumber(element.offset) ?? 0;
      return (
        <List className={`indent-${asNumber(element.indent) ?? 0}`} {...(List === 'ol' ? { start: offset + 1 } : {})}>
          {children.map((item, index) => (
            <li key={index}>
              <RichInlines elements={asObjects(item.elements)} />
            </li>
          ))}
        </List>
      );
    }
    default:
      return <span className="unknown">{asString(element.type) ?? 'element'}</span>;
  }
}

function RichInlines({ elements }: { elements: JsonObject[] }) {
  return elements.map((element, index) => (
    <Fragment key={index}>
      <RichInline element={element} />
    </Fragment>
  ));
}

function RichInline({ element }: { element: JsonObject }) {
  const style = asObject(element.style) ?? {};
  let node = <RichLeaf element={element} />;
  if (style.code) node = <code>{node}</code>;
  if (style.strike) node = <s>{node}</s>;
  if (style.italic) node = <em>{node}</em>;
  if (style.bold) node = <strong>{node}</strong>;
  return node;
}

function RichLeaf({ element }: { element: JsonObject }) {
  const { me, now } = useDesk();
  const text = asString(element.text) ?? '';
  switch (element.type) {
    case 'text':
      return text;
    case 'link': {
      const url = asString(element.url) ?? '';
      return <Link url={url}>{text || url}</Link>;
    }
    case 'user':
      return <UserMention id={asString(element.user_id) ?? ''} />;
    case 'channel':
      return <ChannelMention id={asString(element.channel_id) ?? ''} />;
    case 'usergroup':
      return <span className="mention">@{asString(element.usergroup_id)}</span>;
    case 'broadcast':
      return <span className="mention mention-me">@{asString(element.range)}</span>;
    case 'emoji':
      return <Emoji name={asString(element.name) ?? ''} />;
    case 'date': {
      const seconds = asNumber(element.timestamp) ?? 0;
      return <time>{slackDate(seconds, asString(element.format) ?? '{date}', me, now())}</time>;
    }
    case 'color':
      return (
        <span className="color">
          <i style={{ background: asString(element.value) }} />
          {asString(element.value)}
        </span>
      );
    default:
      return <span className="unknown">{asString(element.type) ?? 'element'}</span>;
  }
}
