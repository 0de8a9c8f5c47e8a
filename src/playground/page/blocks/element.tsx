/** Any interactive element, by its type. */
import { asString, type JsonObject } from '../read-json.ts';
import { Button } from './button.tsx';
import { Checkboxes, RadioButtons } from './choices.tsx';
import { DateInput, TextInput } from './inputs.tsx';
import { Overflow } from './overflow.tsx';
import { Select } from './select.tsx';
import { Unknown } from './unknown.tsx';

export type ElementProps = {
  element: JsonObject;
  blockId: string;
  /** Whether a change is sent at once (everywhere but in an `input` block without `dispatch_action`). */
  dispatch: boolean;
  /** Of the label of the `input` block around it. */
  labelId?: string | undefined;
  /** Of the hint and the error. */
  describedBy?: string | undefined;
  invalid?: boolean | undefined;
};

export function Element(props: ElementProps) {
  const type = asString(props.element.type) ?? '';
  switch (type) {
    case 'button':
    case 'workflow_button':
    case 'icon_button':
      return <Button {...props} />;
    case 'static_select':
    case 'multi_static_select':
    case 'external_select':
    case 'multi_external_select':
    case 'users_select':
    case 'multi_users_select':
    case 'channels_select':
    case 'multi_channels_select':
    case 'conversations_select':
    case 'multi_conversations_select':
      return <Select {...props} />;
    case 'overflow':
      return <Overflow {...props} />;
    case 'checkboxes':
      return <Checkboxes {...props} />;
    case 'radio_buttons':
      return <RadioButtons {...props} />;
    case 'datepicker':
    case 'timepicker':
    case 'datetimepicker':
      return <DateInput {...props} />;
    case 'plain_text_input':
    case 'email_text_input':
    case 'url_text_input':
    case 'number_input':
    case 'rich_text_input':
      return <TextInput {...props} />;
    default:
      return <Unknown kind="element" json={props.element} />;
  }
}

/** Names a control: by the input block's label if there is one, else by its own words. */
export function naming(props: ElementProps, own: string | undefined) {
  return {
    ...(props.labelId ? { 'aria-labelledby': props.labelId } : { 'aria-label': own }),
    'aria-describedby': props.describedBy,
    'aria-invalid': props.invalid || undefined,
  };
}
