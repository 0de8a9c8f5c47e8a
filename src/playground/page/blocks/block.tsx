/** Any block, by its type. */
import { useId } from 'react';
import type { Block } from '../../protocol.ts';
import { withEmoji } from '../emoji.ts';
import { asObject, asObjects, asString, textOf } from '../read-json.ts';
import { AlertBlock, CardBlock, Carousel, Container } from './boxes.tsx';
import { Element } from './element.tsx';
import { Feedback } from './feedback.tsx';
import { useForm } from './form.tsx';
import { MarkdownText } from './markdown.tsx';
import { ImageBlock, Picture, Remote } from './media.tsx';
import { RichText } from './rich-text.tsx';
import { TableBlock } from './table.tsx';
import { PlanBlock, TaskCard } from './tasks.tsx';
import { TextObject } from './text.tsx';
import { Unknown } from './unknown.tsx';

export function Blocks({ blocks }: { blocks: Block[] }) {
  return (
    <div className="blocks">
      {blocks.map((block, index) => (
        <BlockView key={block.block_id ?? index} block={block} />
      ))}
    </div>
  );
}

function BlockView({ block }: { block: Block }) {
  switch (block.type) {
    case 'header':
      return <h3 className="block-header">{withEmoji(textOf(block.text))}</h3>;
    case 'section':
      return <Section block={block} />;
    case 'context':
      return <Context block={block} />;
    case 'actions':
      return <Actions block={block} />;
    case 'input':
      return <Input block={block} />;
    case 'divider':
      return <hr className="block-divider" />;
    case 'image':
      return <ImageBlock block={block} />;
    case 'rich_text':
      return <RichText of={block as never} />;
    case 'markdown':
      return <MarkdownText text={asString(block.text) ?? ''} />;
    case 'table':
    case 'data_table':
      return <TableBlock block={block} />;
    case 'task_card':
      return <TaskCard task={block} />;
    case 'plan':
      return <PlanBlock block={block} />;
    case 'context_actions':
      return <Feedback block={block} />;
    case 'alert':
      return <AlertBlock block={block} />;
    case 'card':
      return <CardBlock block={block} />;
    case 'carousel':
      return <Carousel block={block} />;
    case 'container':
      return <Container block={block} />;
    case 'file':
    case 'video':
      return <Remote block={block} />;
    default:
      return <Unknown kind="block" json={block} />;
  }
}

function Section({ block }: { block: Block }) {
  const fields = asObjects(block.fields);
  const accessory = asObject(block.accessory);
  return (
    <div className={accessory ? 'section section-accessory' : 'section'}>
      <div className="section-text">
        {block.text !== undefined && <TextObject of={block.text} />}
        {fields.length > 0 && (
          <div className="section-fields">
            {fields.map((field, index) => (
              <div key={index}>
                <TextObject of={field as never} />
              </div>
            ))}
          </div>
        )}
      </div>
      {accessory &&
        (accessory.type === 'image' ? (
          <Picture of={accessory} className="section-image" />
        ) : (
          <div className="accessory">
            <Element element={accessory} blockId={block.block_id ?? ''} dispatch />
          </div>
        ))}
    </div>
  );
}

function Context({ block }: { block: Block }) {
  return (
    <div className="context">
      {asObjects(block.elements).map((element, index) =>
        element.type === 'image' ? (
          <Picture key={index} of={element} className="context-image" />
        ) : (
          <span key={index}>
            <TextObject of={element as never} />
          </span>
        ),
      )}
    </div>
  );
}

function Actions({ block }: { block: Block }) {
  return (
    <div className="actions">
      {asObjects(block.elements).map((element, index) => (
        <Element key={asString(element.action_id) ?? index} element={element} blockId={block.block_id ?? ''} dispatch />
      ))}
    </div>
  );
}

function Input({ block }: { block: Block }) {
  const form = useForm();
  const id = useId();
  const element = asObject(block.element);
  const blockId = block.block_id ?? '';
  const error = form.errors[blockId];
  const notes = [block.hint === undefined ? [] : `${id}-hint`, error === undefined ? [] : `${id}-error`]
    .flat()
    .join(' ');
  return (
    <div className={error === undefined ? 'input-block' : 'input-block input-invalid'}>
      <div className="input-label">
        <span id={`${id}-label`}>{withEmoji(textOf(block.label))}</span>
        {block.optional === true && <span className="input-optional"> (optional)</span>}
      </div>
      {element ? (
        <Element
          element={element}
          blockId={blockId}
          dispatch={block.dispatch_action === true}
          labelId={`${id}-label`}
          describedBy={notes || undefined}
          invalid={error !== undefined}
        />
      ) : (
        <Unknown kind="block" json={block} />
      )}
      {error !== undefined && (
        <p id={`${id}-error`} role="alert" className="input-error">
          {error}
        </p>
      )}
      {block.hint !== undefined && (
        <p id={`${id}-hint`} className="input-hint">
          {withEmoji(textOf(block.hint))}
        </p>
      )}
    </div>
  );
}
