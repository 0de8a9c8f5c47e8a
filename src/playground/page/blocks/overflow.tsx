/** The "…" menu. */
import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react';
import { asObjects, asString, type JsonObject, textOf } from '../read-json.ts';
import { ConfirmDialog } from './confirm.tsx';
import type { ElementProps } from './element.tsx';
import { useForm } from './form.tsx';
import { Popup } from './popup.tsx';
import { TextObject } from './text.tsx';

export function Overflow({ element, blockId }: ElementProps) {
  const form = useForm();
  const anchor = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const [asking, setAsking] = useState<JsonObject>();
  const close = useCallback(() => setOpen(false), []);
  const actionId = asString(element.action_id) ?? '';
  const pick = (option: JsonObject): void => {
    setAsking(undefined);
    const url = asString(option.url);
    if (url) window.open(url, '_blank', 'noreferrer');
    form.send(blockId, actionId, { type: 'overflow', selected_option: option as never });
  };
  const leave = (): void => {
    close();
    anchor.current?.focus();
  };
  const choose = (option: JsonObject): void => {
    leave();
    if (element.confirm) setAsking(option);
    else pick(option);
  };
  return (
    <>
      <button
        ref={anchor}
        type="button"
        className="button button-overflow"
        aria-label={asString(element.accessibility_label) ?? 'More actions'}
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        •••
      </button>
      {open && (
        <Popup anchor={anchor} onClose={close} align="end">
          <Menu options={asObjects(element.options)} onPick={choose} onClose={leave} />
        </Popup>
      )}
      {asking && <ConfirmDialog of={element.confirm} onYes={() => pick(asking)} onNo={() => setAsking(undefined)} />}
    </>
  );
}

function Menu(props: { options: JsonObject[]; onPick(option: JsonObject): void; onClose(): void }) {
  const { options, onPick, onClose } = props;
  const menu = useRef<HTMLDivElement>(null);
  useEffect(() => menu.current?.querySelector('button')?.focus(), []);
  const onKeyDown = (event: KeyboardEvent): void => {
    const items = [...(menu.current?.querySelectorAll('button') ?? [])];
    const at = items.findIndex((item) => item.matches(':focus'));
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault();
      onClose();
    } else if (step) {
      event.preventDefault();
      items.at((at + step) % items.length)?.focus();
    }
  };
  return (
    <div ref={menu} role="menu" tabIndex={-1} onKeyDown={onKeyDown}>
      {options.map((option, index) => (
        <button key={index} type="button" role="menuitem" className="option" onClick={() => onPick(option)}>
          <span>
            <TextObject of={option.text} />
          </span>
          {option.description !== undefined && <span className="choice-more">{textOf(option.description)}</span>}
        </button>
      ))}
    </div>
  );
}
