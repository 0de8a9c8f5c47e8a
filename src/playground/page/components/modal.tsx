/** A modal view: its form, the errors in place, and what went wrong when the app did not answer. */
import { useEffect, useMemo, useRef, useState } from 'react';
import type { PlaygroundView } from '../../protocol.ts';
import { Blocks } from '../blocks/block.tsx';
import { FormProvider } from '../blocks/form.tsx';
import { useDesk } from '../desk.ts';
import { asBlocks, textOf } from '../read-json.ts';
import { inputErrors, stateOf } from '../state-values.ts';
import { Dialog } from './dialog.tsx';

export function Modal({ view }: { view: PlaygroundView }) {
  const { act, entered } = useDesk();
  const [own, setOwn] = useState<{ [blockId: string]: string }>({});
  const [submitting, setSubmitting] = useState(false);
  const container = useMemo(() => ({ type: 'view' as const, view: view.id }), [view.id]);
  const blocks = useMemo(() => asBlocks(view.view.blocks as never), [view.view.blocks]);
  const state = stateOf(blocks, entered(`view/${view.id}`));
  // What this page found is shown at once; it goes when the field is mended. The app's errors stay until the next answer.
  const errors = { ...view.errors, ...stillWrong(own, inputErrors(blocks, state)) };
  const submit = textOf(view.view.submit);

  const trouble = useRef<HTMLParagraphElement>(null);

  useEffect(() => {
    if (view.errors) focusFirstError();
  }, [view.errors]);
  // It stands above the fields, and whoever sent a long form is below them.
  useEffect(() => {
    if (view.trouble) trouble.current?.scrollIntoView({ block: 'nearest' });
  }, [view.trouble]);

  const send = async (): Promise<void> => {
    if (submitting) return;
    const found = inputErrors(blocks, state);
    setOwn(found);
    if (Object.keys(found).length > 0) {
      requestAnimationFrame(focusFirstError);
      return;
    }
    setSubmitting(true);
    await act({ do: 'submit_view', view: view.id, state });
    setSubmitting(false);
  };
  const close = (all: boolean): void => void act({ do: 'close_view', view: view.id, ...(all ? { all } : {}) });
  return (
    <Dialog title={textOf(view.view.title)} onClose={() => close(view.depth > 0)}>
      <form
        className="dialog-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <div className="dialog-body">
          {view.trouble && (
            <p ref={trouble} role="alert" className="alert alert-error">
              <span aria-hidden="true">⚠</span> {view.trouble}
            </p>
          )}
          <FormProvider container={container} blocks={blocks} errors={errors}>
            <Blocks blocks={blocks} />
          </FormProvider>
        </div>
        <footer className="dialog-foot">
          <button type="button" className="button" onClick={() => close(false)}>
            {textOf(view.view.close) || (submit ? 'Cancel' : 'Close')}
          </button>
          {submit && (
            <button
              type="submit"
              className="button button-primary"
              aria-busy={submitting || undefined}
              disabled={submitting}
            >
              {submitting && <span className="spinner" aria-hidden="true" />} {submit}
            </button>
          )}
        </footer>
      </form>
    </Dialog>
  );
}

function stillWrong(shown: { [id: string]: string }, now: { [id: string]: string }): { [id: string]: string } {
  return Object.fromEntries(Object.entries(now).filter(([id]) => shown[id] !== undefined));
}

function focusFirstError(): void {
  const invalid = document.querySelector<HTMLElement>('[aria-modal] [aria-invalid="true"]');
  (invalid?.matches('input, textarea') ? invalid : invalid?.querySelector('input'))?.focus();
}
