/** Checkboxes and radio buttons. */
import { useId } from 'react';
import { asList, asObjects, asString, type JsonObject, textOf } from '../read-json.ts';
import { contentOf } from '../state-values.ts';
import { type ElementProps, naming } from './element.tsx';
import { useForm } from './form.tsx';
import { TextObject } from './text.tsx';

export function Checkboxes(props: ElementProps) {
  const { element, blockId, dispatch } = props;
  const form = useForm();
  const actionId = asString(element.action_id) ?? '';
  const options = asObjects(element.options);
  const value = form.values[blockId]?.[actionId];
  const chosen = new Set(asObjects(value && asList(contentOf(value))).map(identity));
  const toggle = (option: JsonObject): void => {
    const key = identity(option);
    // In the order of the options, as Slack sends them, not in that of the clicks.
    const next = options.filter((one) => (identity(one) === key ? !chosen.has(key) : chosen.has(identity(one))));
    form.change(blockId, actionId, { type: 'checkboxes', selected_options: next as never }, dispatch);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot take its name from the input block's label
    <div role="group" className="choices" {...naming(props, 'Options')}>
      {options.map((option, index) => (
        <Choice key={index} type="checkbox" option={option} checked={chosen.has(identity(option))} onPick={toggle} />
      ))}
    </div>
  );
}

export function RadioButtons(props: ElementProps) {
  const { element, blockId, dispatch } = props;
  const form = useForm();
  const name = useId();
  const actionId = asString(element.action_id) ?? '';
  const value = form.values[blockId]?.[actionId];
  const chosen = asObjects([value ? contentOf(value) : null])[0];
  return (
    <div role="radiogroup" className="choices" {...naming(props, 'Options')}>
      {asObjects(element.options).map((option, index) => (
        <Choice
          key={index}
          type="radio"
          name={name}
          option={option}
          checked={chosen !== undefined && identity(option) === identity(chosen)}
          onPick={(picked) =>
            form.change(blockId, actionId, { type: 'radio_buttons', selected_option: picked as never }, dispatch)
          }
        />
      ))}
    </div>
  );
}

/** Values are unique within a list by Slack's rule; the text is added for apps that did not hold to it. */
function identity(option: JsonObject): string {
  return `${asString(option.value) ?? ''}\n${textOf(option.text)}`;
}

function Choice(props: {
  type: 'checkbox' | 'radio';
  name?: string;
  option: JsonObject;
  checked: boolean;
  onPick(option: JsonObject): void;
}) {
  const { type, name, option, checked, onPick } = props;
  const id = useId();
  return (
    <div className="choice">
      <input
        id={id}
        type={type}
        name={name}
        checked={checked}
        aria-describedby={option.description ? `${id}-more` : undefined}
        onChange={() => onPick(option)}
      />
      <div>
        <label htmlFor={id}>
          <TextObject of={option.text} />
        </label>
        {option.description !== undefined && (
          <div id={`${id}-more`} className="choice-more">
            <TextObject of={option.description} />
          </div>
        )}
      </div>
    </div>
  );
}
