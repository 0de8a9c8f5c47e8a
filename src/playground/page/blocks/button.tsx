import { useState } from 'react';
import { useDesk } from '../desk.ts';
import { withEmoji } from '../emoji.ts';
import { asList, asString, type JsonObject, textOf } from '../read-json.ts';
import type { Value } from '../state-values.ts';
import { ConfirmDialog } from './confirm.tsx';
import type { ElementProps } from './element.tsx';
import { useForm } from './form.tsx';

const STYLES: { [style: string]: string } = { primary: 'button-primary', danger: 'button-danger' };

export function Button({ element, blockId }: ElementProps) {
  const { me } = useDesk();
  const form = useForm();
  const [asking, setAsking] = useState(false);
  const actionId = asString(element.action_id) ?? '';
  const url = asString(element.url);
  const busy = form.sending === `${blockId}/${actionId}`;
  const only = asList(element.visible_to_user_ids);
  if (only.length > 0 && !only.includes(me.id)) return null;

  const click = (): void => {
    setAsking(false);
    if (url) open(url, '_blank', 'noreferrer');
    form.send(blockId, actionId, clickOf(element));
  };
  const text = textOf(element.text);
  const icon = element.type === 'icon_button';
  return (
    <>
      <button
        type="button"
        className={`button ${STYLES[asString(element.style) ?? ''] ?? ''} ${busy ? 'busy' : ''}`}
        aria-label={asString(element.accessibility_label)}
        aria-busy={busy || undefined}
        title={text.length > 40 ? text : undefined}
        onClick={() => (element.confirm ? setAsking(true) : click())}
      >
        {icon && <span aria-hidden="true">{element.icon === 'trash' ? '🗑 ' : ''}</span>}
        <span className="button-text">{withEmoji(text)}</span>
        {url && <span aria-hidden="true">&nbsp;↗</span>}
      </button>
      {asking && <ConfirmDialog of={element.confirm} onYes={click} onNo={() => setAsking(false)} />}
    </>
  );
}

function clickOf(element: JsonObject): Value {
  const action: Value = { type: asString(element.type) ?? 'button' };
  if (element.text !== undefined) action.text = element.text;
  if (element.value !== undefined) action.value = element.value;
  return action;
}
