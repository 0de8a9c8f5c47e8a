/** Legacy attachments: a coloured bar beside text or blocks. */
import type { Json } from '../../protocol.ts';
import { Blocks } from '../blocks/block.tsx';
import { Link, Mrkdwn } from '../blocks/text.tsx';
import { asBlocks, asObjects, asString } from '../read-json.ts';

const COLORS: { [name: string]: string } = { good: '#2f9e6e', warning: '#d99a1c', danger: '#c4314b' };

export function Attachments({ attachments }: { attachments: Json[] }) {
  return asObjects(attachments).map((attachment, index) => {
    const blocks = asBlocks(attachment.blocks as never);
    const color = asString(attachment.color);
    const title = asString(attachment.title);
    const text = asString(attachment.text) ?? (blocks.length === 0 ? asString(attachment.fallback) : undefined);
    return (
      <div
        key={index}
        className="attachment"
        style={color ? { borderLeftColor: COLORS[color] ?? (color.startsWith('#') ? color : `#${color}`) } : undefined}
      >
        {attachment.pretext !== undefined && <Mrkdwn text={asString(attachment.pretext) ?? ''} />}
        {title && (
          <div className="card-title">
            <Link url={asString(attachment.title_link) ?? ''}>{title}</Link>
          </div>
        )}
        {text && <Mrkdwn text={text} />}
        {blocks.length > 0 && <Blocks blocks={blocks} />}
        {asObjects(attachment.fields).map((field, at) => (
          <div key={at}>
            <strong>{asString(field.title)}</strong> <Mrkdwn text={asString(field.value) ?? ''} />
          </div>
        ))}
      </div>
    );
  });
}
