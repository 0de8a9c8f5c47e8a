/** Images, and what Slack only links to: files and videos. */
import { useState } from 'react';
import type { Block } from '../../protocol.ts';
import { asObject, asString, type JsonObject, textOf } from '../read-json.ts';
import { Link } from './text.tsx';

export function Picture({ of, className }: { of: JsonObject; className: string }) {
  const [broken, setBroken] = useState(false);
  const alt = asString(of.alt_text) ?? '';
  const url = asString(of.image_url) ?? asString(asObject(of.slack_file)?.url);
  if (!url || broken) return <span className="picture-missing">🖼 {alt || 'image'}</span>;
  return <img className={className} src={url} alt={alt} onError={() => setBroken(true)} />;
}

export function ImageBlock({ block }: { block: Block }) {
  return (
    <figure className="image-block">
      {block.title !== undefined && <figcaption>{textOf(block.title)}</figcaption>}
      <Picture of={block} className="image-full" />
    </figure>
  );
}

export function Remote({ block }: { block: Block }) {
  const url = asString(block.title_url) ?? asString(block.video_url) ?? '';
  const title = textOf(block.title) || asString(block.external_id) || block.type;
  return (
    <div className="file">
      <span aria-hidden="true">{block.type === 'video' ? '▶' : '📄'}</span>
      <div>
        <Link url={url}>{title}</Link>
        {block.description !== undefined && <div className="choice-more">{textOf(block.description)}</div>}
      </div>
    </div>
  );
}
