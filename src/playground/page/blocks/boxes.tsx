/** Blocks that hold others, or stand in a frame of their own. */
import type { Block } from '../../protocol.ts';
import { asBlocks, asObject, asObjects, asString, textOf } from '../read-json.ts';
import { Blocks } from './block.tsx';
import { Element } from './element.tsx';
import { Picture } from './media.tsx';
import { RichText } from './rich-text.tsx';
import { TextObject } from './text.tsx';

const ALERT_SIGNS: { [level: string]: string } = { info: 'ℹ', warning: '⚠', error: '✕', success: '✓' };

export function AlertBlock({ block }: { block: Block }) {
  const level = asString(block.level) ?? 'default';
  return (
    <div role="note" className={`alert alert-${level}`}>
      {ALERT_SIGNS[level] && (
        <span role="img" aria-label={level}>
          {ALERT_SIGNS[level]}
        </span>
      )}
      <div>
        <TextObject of={block.text} />
      </div>
    </div>
  );
}

export function CardBlock({ block }: { block: Block }) {
  const hero = asObject(block.hero_image);
  const icon = asObject(block.icon);
  const actions = asObjects(block.actions);
  return (
    <div className="card">
      {hero && <Picture of={hero} className="card-hero" />}
      <div className="card-head">
        {icon && <Picture of={icon} className="card-icon" />}
        <div>
          {block.title !== undefined && (
            <div className="card-title">
              <TextObject of={block.title} />
            </div>
          )}
          {block.subtitle !== undefined && (
            <div className="choice-more">
              <TextObject of={block.subtitle} />
            </div>
          )}
        </div>
      </div>
      {block.body !== undefined && (
        <div className="card-body">
          <TextObject of={block.body} />
        </div>
      )}
      {block.subtext !== undefined && (
        <div className="choice-more">
          <TextObject of={block.subtext} />
        </div>
      )}
      {actions.length > 0 && (
        <div className="actions">
          {actions.map((action, index) => (
            <Element key={index} element={action} blockId={block.block_id ?? ''} dispatch />
          ))}
        </div>
      )}
    </div>
  );
}

export function Carousel({ block }: { block: Block }) {
  const cards = asBlocks((block.elements ?? block.cards) as never);
  return (
    <div className="carousel">
      {cards.map((card, index) => (
        <CardBlock key={index} block={card} />
      ))}
    </div>
  );
}

export function Container({ block }: { block: Block }) {
  const children = <Blocks blocks={asBlocks(block.child_blocks as never)} />;
  const title = (
    <>
      <span className="card-title">
        {block.rich_text_title === undefined ? (
          <TextObject of={block.title} />
        ) : (
          <RichText of={block.rich_text_title} />
        )}
      </span>
      {block.subtitle !== undefined && <span className="choice-more">{textOf(block.subtitle)}</span>}
    </>
  );
  if (block.is_collapsible !== true) {
    return (
      <div className="container">
        <div className="container-title">{title}</div>
        {children}
      </div>
    );
  }
  return (
    <details className="container" open={block.default_collapsed !== true}>
      <summary className="container-title">{title}</summary>
      {children}
    </details>
  );
}
