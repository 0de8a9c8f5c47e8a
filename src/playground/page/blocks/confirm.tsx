/** The confirm dialog that a button, a menu or a select may carry. */
import type { Json } from '../../protocol.ts';
import { Dialog } from '../components/dialog.tsx';
import { asObject, textOf } from '../read-json.ts';
import { TextObject } from './text.tsx';

export function ConfirmDialog({ of, onYes, onNo }: { of: Json | undefined; onYes(): void; onNo(): void }) {
  const confirm = asObject(of);
  return (
    <Dialog title={textOf(confirm?.title) || 'Are you sure?'} role="alertdialog" onClose={onNo} small>
      <div className="dialog-body">
        <TextObject of={confirm?.text} />
      </div>
      <footer className="dialog-foot">
        <button type="button" className="button" onClick={onNo}>
          {textOf(confirm?.deny) || 'Cancel'}
        </button>
        <button
          type="button"
          className={`button ${confirm?.style === 'danger' ? 'button-danger-solid' : 'button-primary'}`}
          onClick={onYes}
        >
          {textOf(confirm?.confirm) || 'Yes'}
        </button>
      </footer>
    </Dialog>
  );
}
