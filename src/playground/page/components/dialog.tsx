/** A box over everything: keeps the focus inside, closes with Esc, gives the focus back when it goes. */
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react';

const FOCUSABLE = 'button, input, select, textarea, a[href], summary, [tabindex="0"]';

export function Dialog(props: {
  title: string;
  role?: 'dialog' | 'alertdialog';
  small?: boolean;
  onClose(): void;
  children: ReactNode;
}) {
  const { title, role = 'dialog', small = false, onClose, children } = props;
  const box = useRef<HTMLDialogElement>(null);
  const titleId = useId();

  useEffect(() => {
    const before = document.activeElement;
    const inside = box.current;
    // The first field, as Slack does, of radio buttons the one that is picked; else the last button, which is what one came for.
    const first =
      inside?.querySelector<HTMLElement>('[data-autofocus]') ??
      inside?.querySelector<HTMLElement>('input[type=radio]:checked') ??
      inside?.querySelector<HTMLElement>('input:not([type=hidden]), textarea, select') ??
      [...(inside?.querySelectorAll<HTMLElement>('footer button') ?? [])].at(-1);
    (first ?? inside)?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);

  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.key === 'Escape' && !event.defaultPrevented) onClose();
    if (event.key !== 'Tab') return;
    const stops = [...(box.current?.querySelectorAll<HTMLElement>(FOCUSABLE) ?? [])].filter(
      (element) => !element.hasAttribute('disabled') && element.tabIndex >= 0 && element.offsetParent !== null,
    );
    const [first, last] = [stops[0], stops.at(-1)];
    const edge = event.shiftKey ? first : last;
    if (document.activeElement !== edge && document.activeElement !== box.current) return;
    event.preventDefault();
    (event.shiftKey ? last : first)?.focus();
  };

  return (
    <div className="backdrop">
      {/* `open` and not showModal(): the browser's top layer belongs to the popups, which must lie over this. */}
      <dialog
        open
        ref={box}
        role={role}
        aria-modal="true"
        aria-labelledby={titleId}
        tabIndex={-1}
        className={small ? 'dialog dialog-small' : 'dialog'}
        onKeyDown={onKeyDown}
      >
        <header className="dialog-head">
          <h2 id={titleId}>{title}</h2>
          {role === 'dialog' && (
            <button type="button" className="icon-button" aria-label="Close" onClick={onClose}>
              ✕
            </button>
          )}
        </header>
        {children}
      </dialog>
    </div>
  );
}
