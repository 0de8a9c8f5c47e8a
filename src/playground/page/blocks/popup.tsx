/** A box beside its anchor, in the browser's top layer: no scrolling pane cuts it off, and a modal does not cover it. */
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from 'react';

const GAP = 4;

export function Popup(props: {
  anchor: RefObject<HTMLElement | null>;
  onClose(): void;
  /** As wide as the anchor at least. */
  wide?: boolean;
  align?: 'start' | 'end';
  children: ReactNode;
}) {
  const { anchor, onClose, wide = false, align = 'start', children } = props;
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    element.showPopover();
    const place = (): void => {
      const at = anchor.current?.getBoundingClientRect();
      if (!at) return;
      if (wide) element.style.minWidth = `${at.width}px`;
      const size = element.getBoundingClientRect();
      const left = align === 'end' ? at.right - size.width : at.left;
      const below = at.bottom + GAP;
      const fits = below + size.height < innerHeight || at.top < size.height + GAP;
      element.style.left = `${Math.max(8, Math.min(left, innerWidth - size.width - 8))}px`;
      element.style.top = `${Math.max(8, fits ? Math.min(below, innerHeight - size.height - 8) : at.top - GAP - size.height)}px`;
    };
    place();
    const watch = new ResizeObserver(place);
    watch.observe(element);
    addEventListener('scroll', place, true);
    addEventListener('resize', place);
    return () => {
      watch.disconnect();
      removeEventListener('scroll', place, true);
      removeEventListener('resize', place);
    };
  }, [anchor, wide, align]);
  useEffect(() => {
    const outside = (event: PointerEvent): void => {
      const target = event.target as Node;
      if (!box.current?.contains(target) && !anchor.current?.contains(target)) onClose();
    };
    addEventListener('pointerdown', outside, true);
    return () => removeEventListener('pointerdown', outside, true);
  }, [anchor, onClose]);
  return (
    <div ref={box} popover="manual" className="popup">
      {children}
    </div>
  );
}
