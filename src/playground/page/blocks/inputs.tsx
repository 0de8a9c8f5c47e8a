/** Fields that are typed into, and the pickers of dates and times. */
import type { KeyboardEvent } from 'react';
import type { Json } from '../../protocol.ts';
import { asList, asNumber, asObject, asString, textOf } from '../read-json.ts';
import { contentOf, type Value } from '../state-values.ts';
import { type ElementProps, naming } from './element.tsx';
import { useForm } from './form.tsx';
import { richTextOf, richTextPlain } from './rich-text-value.ts';

const INPUT_TYPES: { [type: string]: string } = { email_text_input: 'email', url_text_input: 'url' };

export function TextInput(props: ElementProps) {
  const { element, blockId, dispatch } = props;
  const form = useForm();
  const type = asString(element.type) ?? '';
  const actionId = asString(element.action_id) ?? '';
  const held = form.values[blockId]?.[actionId];
  const content = held ? contentOf(held) : null;
  const text = type === 'rich_text_input' ? richTextPlain(content) : (asString(content) ?? '');
  const max = asNumber(element.max_length);
  const triggers = asList(asObject(element.dispatch_action_config)?.trigger_actions_on);
  const toValue = (typed: string): Value => {
    if (type === 'rich_text_input') return { type, rich_text_value: typed === '' ? null : richTextOf(typed) };
    return { type, value: typed === '' ? null : typed };
  };
  const shared = {
    ...naming(props, textOf(element.placeholder) || 'Text'),
    className: 'field',
    value: text,
    placeholder: textOf(element.placeholder),
    maxLength: max,
    'data-autofocus': element.focus_on_load === true ? '' : undefined,
    onChange: (event: { target: { value: string } }) =>
      form.change(
        blockId,
        actionId,
        toValue(event.target.value),
        dispatch && triggers.includes('on_character_entered'),
      ),
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      const multi = event.currentTarget instanceof HTMLTextAreaElement;
      const byDefault = triggers.length === 0 || triggers.includes('on_enter_pressed');
      if (event.key !== 'Enter' || multi || !dispatch || !byDefault || event.nativeEvent.isComposing) return;
      event.preventDefault();
      form.change(blockId, actionId, toValue(text), true);
    },
  };
  const multiline = element.multiline === true || type === 'rich_text_input';
  return (
    <div className="field-box">
      {multiline ? (
        <textarea {...shared} rows={4} />
      ) : (
        <input
          {...shared}
          type={INPUT_TYPES[type] ?? 'text'}
          inputMode={type === 'number_input' ? (element.is_decimal_allowed ? 'decimal' : 'numeric') : undefined}
        />
      )}
      {max !== undefined && (
        <span className={text.length >= max ? 'counter counter-full' : 'counter'} aria-hidden="true">
          {text.length} / {max}
        </span>
      )}
    </div>
  );
}

export function DateInput(props: ElementProps) {
  const { element, blockId, dispatch } = props;
  const form = useForm();
  const type = asString(element.type) ?? '';
  const actionId = asString(element.action_id) ?? '';
  const held = form.values[blockId]?.[actionId];
  const content = held ? contentOf(held) : null;
  const shared = naming(props, textOf(element.placeholder) || 'Date');
  const change = (value: Value): void => form.change(blockId, actionId, value, dispatch);
  switch (type) {
    case 'datepicker':
      return (
        <input
          {...shared}
          type="date"
          className="field field-date"
          value={asString(content) ?? ''}
          onChange={(event) => change({ type, selected_date: event.target.value || null })}
        />
      );
    case 'timepicker':
      return (
        <input
          {...shared}
          type="time"
          className="field field-date"
          value={asString(content) ?? ''}
          onChange={(event) => change({ type, selected_time: event.target.value || null })}
        />
      );
    default:
      return (
        <input
          {...shared}
          type="datetime-local"
          className="field field-date"
          value={localDateTime(content)}
          onChange={(event) => {
            const ms = new Date(event.target.value).getTime();
            change({ type, selected_date_time: Number.isNaN(ms) ? null : Math.floor(ms / 1000) });
          }}
        />
      );
  }
}

/** Unix seconds to what `datetime-local` takes: the browser's own zone, without one written. */
function localDateTime(content: Json): string {
  const seconds = asNumber(content);
  if (seconds === undefined) return '';
  const date = new Date(seconds * 1000);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}
