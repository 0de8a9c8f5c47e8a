/** `context_actions`: the small thumbs under a reply, and icon buttons. */
import { useState } from 'react';
import type { Block } from '../../protocol.ts';
import { asObject, asObjects, asString, textOf } from '../read-json.ts';
import { Button } from './button.tsx';
import { useForm } from './form.tsx';
import { Unknown } from './unknown.tsx';

export function Feedback({ block }: { block: Block }) {
  const form = useForm();
  const blockId = block.block_id ?? '';
  const [given, setGiven] = useState('');
  return (
    <div className="context-actions">
      {asObjects(block.elements).map((element, index) => {
        const actionId = asString(element.action_id) ?? '';
        switch (element.type) {
          case 'icon_button':
            return <Button key={index} element={element} blockId={blockId} dispatch />;
          case 'feedback_buttons':
            return (['positive_button', 'negative_button'] as const).map((side) => {
              const button = asObject(element[side]);
              if (!button) return null;
              const label = asString(button.accessibility_label) ?? textOf(button.text);
              return (
                <button
                  key={`${index}-${side}`}
                  type="button"
                  className="icon-button"
                  aria-label={label}
                  aria-pressed={given === `${actionId}-${side}`}
                  title={textOf(button.text)}
                  onClick={() => {
                    setGiven(`${actionId}-${side}`);
                    void form.send(blockId, actionId, {
                      type: 'feedback_buttons',
                      text: button.text ?? null,
                      value: button.value ?? null,
                    });
                  }}
                >
                  <Thumb down={side === 'negative_button'} />
                </button>
              );
            });
          default:
            return <Unknown key={index} kind="element" json={element} />;
        }
      })}
    </div>
  );
}

function Thumb({ down }: { down: boolean }) {
  return (
    <svg viewBox="0 0 20 20" width="16" height="16" aria-hidden="true" className={down ? 'thumb-down' : undefined}>
      <path
        d="M7 9l3-6c1.3 0 2 .8 2 2v3h4c.8 0 1.4.7 1.2 1.5l-1.3 5.5c-.2.6-.7 1-1.3 1H7zM3 9h4v7H3z"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinejoin="round"
      />
    </svg>
  );
}
