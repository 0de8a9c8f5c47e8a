/** `table` (its first row is the head) and `data_table`. */
import type { Block, Json } from '../../protocol.ts';
import { asList, asObject, asObjects, asString, textOf } from '../read-json.ts';
import { RichText } from './rich-text.tsx';
import { TextObject } from './text.tsx';

export function TableBlock({ block }: { block: Block }) {
  const [head, ...rows] = asList(block.rows).map((row) => asList(Array.isArray(row) ? row : asObject(row)?.cells));
  const settings = asObjects(block.column_settings);
  const columnClass = (column: number): string => {
    const align = asString(settings[column]?.align) ?? 'left';
    return settings[column]?.is_wrapped === true ? `align-${align} wrapped` : `align-${align}`;
  };
  return (
    <div className="table-scroll">
      <table>
        {block.caption !== undefined && (
          <caption>
            <TextObject of={block.caption} />
          </caption>
        )}
        <thead>
          <tr>
            {head?.map((cell, column) => (
              <th key={column} className={columnClass(column)}>
                <Cell of={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column} className={columnClass(column)}>
                  <Cell of={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cell({ of }: { of: Json }) {
  const cell = asObject(of);
  if (cell?.type === 'rich_text') return <RichText of={of} />;
  if (typeof cell?.value === 'number') return cell.value;
  return textOf(of);
}
