/** The controls of one message or view: their values, and how they are sent. */
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import type { Action, Block, Json, StateValues } from '../../protocol.ts';
import { type Deed, useDesk } from '../desk.ts';
import { stateOf, type Value, withValue } from '../state-values.ts';

type Container = Extract<Action, { do: 'interact' }>['container'];

export type Form = {
  /** Of every stateful element, as it stands. */
  values: StateValues;
  /** Field errors by block id. */
  errors: { [blockId: string]: string };
  /** Keeps a value; `dispatch` sends it at once, as controls outside of `input` blocks do. */
  change(blockId: string, actionId: string, value: Value, dispatch: boolean): void;
  /** Sends what holds no value: a click. */
  send(blockId: string, actionId: string, action: Value): void;
  /** `block_id/action_id` of the click that is on its way. */
  sending: string | undefined;
};

const FormContext = createContext<Form | undefined>(undefined);

export function useForm(): Form {
  const form = useContext(FormContext);
  if (!form) throw new Error('A control was drawn outside of <FormProvider>.');
  return form;
}

const NO_ERRORS = {};

export function FormProvider(props: {
  container: Container;
  blocks: Block[];
  errors?: { [blockId: string]: string } | undefined;
  children: ReactNode;
}) {
  const { container, blocks, errors = NO_ERRORS, children } = props;
  const { act, entered, enter } = useDesk();
  const [sending, setSending] = useState<string>();
  const key = formKey(container);
  const current = entered(key);
  const form = useMemo((): Form => {
    const interact = async (blockId: string, actionId: string, action: Value, state: StateValues): Promise<void> => {
      setSending(`${blockId}/${actionId}`);
      const deed: Deed = {
        do: 'interact',
        container,
        block_id: blockId,
        action_id: actionId,
        action: action as { type: string; [key: string]: Json },
        state,
      };
      await act(deed);
      setSending(undefined);
    };
    const values = stateOf(blocks, current);
    return {
      values,
      errors,
      sending,
      change(blockId, actionId, value, dispatch) {
        const next = withValue(current, blockId, actionId, value);
        enter(key, next);
        if (dispatch) void interact(blockId, actionId, value, stateOf(blocks, next));
      },
      send: (blockId, actionId, action) => void interact(blockId, actionId, action, values),
    };
  }, [act, blocks, container, current, enter, errors, key, sending]);
  return <FormContext value={form}>{children}</FormContext>;
}

export function formKey(container: Container): string {
  return container.type === 'view' ? `view/${container.view}` : `message/${container.channel}/${container.ts}`;
}
