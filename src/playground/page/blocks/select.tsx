/** Menus, single and multi: one field that shows what is chosen and filters as one types. */
import { type KeyboardEvent, useCallback, useId, useRef, useState } from 'react';
import { useDesk } from '../desk.ts';
import { withEmoji } from '../emoji.ts';
import { asNumber, asObject, asString, textOf } from '../read-json.ts';
import { ConfirmDialog } from './confirm.tsx';
import { type ElementProps, naming } from './element.tsx';
import { useForm } from './form.tsx';
import { Popup } from './popup.tsx';
import { chosenOf, type Item, itemsOf, matching, selectionOf } from './select-items.ts';

export function Select(props: ElementProps) {
  const { element, blockId, dispatch } = props;
  const { world, me } = useDesk();
  const form = useForm();
  const listId = useId();
  const box = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [query, setQuery] = useState<string>();
  const [active, setActive] = useState(0);
  const [asking, setAsking] = useState<Item[]>();
  const actionId = asString(element.action_id) ?? '';
  const type = asString(element.type) ?? '';
  const multi = type.startsWith('multi_');
  const items = itemsOf(element, world, me.id);
  const chosen = chosenOf(form.values[blockId]?.[actionId], items);
  const open = query !== undefined;
  const shown = matching(items, query ?? '');
  const placeholder = textOf(element.placeholder) || (multi ? 'Select options' : 'Select an option');
  const full = multi && chosen.length >= (asNumber(element.max_selected_items) ?? Number.POSITIVE_INFINITY);

  const show = (): void => {
    if (open) return;
    setQuery('');
    setActive(
      Math.max(
        0,
        items.findIndex((item) => item.key === chosen[0]?.key),
      ),
    );
  };
  const close = useCallback(() => setQuery(undefined), []);
  const commit = (next: Item[]): void => {
    setAsking(undefined);
    form.change(blockId, actionId, selectionOf(type, next), dispatch);
  };
  const choose = (next: Item[]): void => (asObject(element.confirm) ? setAsking(next) : commit(next));
  const pick = (item: Item | undefined): void => {
    if (!item) return;
    const has = chosen.some((one) => one.key === item.key);
    if (!multi) {
      close();
      choose([item]);
    } else if (has || !full) {
      setQuery('');
      choose(has ? chosen.filter((one) => one.key !== item.key) : [...chosen, item]);
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      if (!open) show();
      else if (shown.length > 0) setActive((active + step + shown.length) % shown.length);
    } else if (event.key === 'Enter' && open) {
      event.preventDefault();
      pick(shown[active]);
    } else if (event.key === 'Escape' && open) {
      event.preventDefault();
      close();
    } else if (event.key === 'Backspace' && multi && !query && chosen.length > 0) {
      choose(chosen.slice(0, -1));
    } else if (event.key === 'Tab') close();
  };

  return (
    <div ref={box} className={`select ${multi ? 'select-multi' : ''} ${open ? 'select-open' : ''}`}>
      {multi &&
        chosen.map((item) => (
          <span key={item.key} className="chip">
            <span className="chip-text">{withEmoji(item.label)}</span>
            <button
              type="button"
              aria-label={`Remove ${item.label}`}
              onClick={() => choose(chosen.filter((one) => one.key !== item.key))}
            >
              ✕
            </button>
          </span>
        ))}
      <input
        ref={input}
        {...naming(props, placeholder)}
        role="combobox"
        aria-expanded={open}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={open && shown[active] ? `${listId}-${active}` : undefined}
        autoComplete="off"
        data-autofocus={element.focus_on_load === true ? '' : undefined}
        value={query ?? (multi ? '' : withEmoji(chosen[0]?.label ?? ''))}
        placeholder={multi && chosen.length > 0 ? '' : (chosen[0]?.label ?? placeholder)}
        onClick={show}
        onBlur={close}
        onChange={(event) => {
          setQuery(event.target.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      <span className="select-arrow" aria-hidden="true" />
      {open && (
        <Popup anchor={box} onClose={close} wide>
          <Options id={listId} items={shown} active={active} chosen={chosen} multi={multi} full={full} onPick={pick} />
        </Popup>
      )}
      {asking && <ConfirmDialog of={element.confirm} onYes={() => commit(asking)} onNo={() => setAsking(undefined)} />}
    </div>
  );
}

function Options(props: {
  id: string;
  items: Item[];
  active: number;
  chosen: Item[];
  multi: boolean;
  full: boolean;
  onPick(item: Item): void;
}) {
  const { id, items, active, chosen, multi, full, onPick } = props;
  return (
    <div role="listbox" id={id} className="options" aria-multiselectable={multi || undefined} tabIndex={-1}>
      {items.length === 0 && <div className="options-none">No items</div>}
      {items.map((item, index) => {
        const selected = chosen.some((one) => one.key === item.key);
        return (
          <div key={item.key} role="presentation">
            {item.group !== undefined && item.group !== items[index - 1]?.group && (
              <div className="option-group">{item.group}</div>
            )}
            {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the combobox's, as its ARIA pattern has it */}
            <div
              role="option"
              id={`${id}-${index}`}
              tabIndex={-1}
              aria-selected={selected}
              aria-disabled={(full && !selected) || undefined}
              className={index === active ? 'option option-active' : 'option'}
              ref={index === active ? keepInSight : undefined}
              // The field keeps the focus: otherwise its blur would close the list before the click.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onPick(item)}
            >
              <span>{withEmoji(item.label)}</span>
              {item.description && <span className="choice-more">{withEmoji(item.description)}</span>}
            </div>
          </div>
        );
      })}
    </div>
  );
}

function keepInSight(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}
