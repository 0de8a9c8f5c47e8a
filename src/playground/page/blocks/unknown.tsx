/** What this page cannot draw is shown with its name and its JSON, never hidden. */
import { asString, type JsonObject } from '../read-json.ts';

export function Unknown({ kind, json }: { kind: 'block' | 'element'; json: JsonObject }) {
  return (
    <details className="unknown-box">
      <summary>
        This playground cannot draw the {kind} <code>{asString(json.type) ?? '(no type)'}</code>
      </summary>
      <pre>{JSON.stringify(json, undefined, 2)}</pre>
    </details>
  );
}
