import { type Check, type Fields, list, number, object, oneOf, text, typed } from './rules.ts';

/** `data_visualization`: pie, bar, line and area charts. */
export function charts(block: (type: string, required: Fields, optional?: Fields) => Check): Check {
  const point = object({ label: text(20), value: number() });
  const series = object({ name: text(20), data: list(point, { min: 1, max: 20 }) });
  const axis_config = object(
    { categories: list(text(20), { min: 1, max: 20 }) },
    { x_label: text(50), y_label: text(50) },
  );
  const segment = object({ label: text(20), value: number({ above: 0 }) });
  const axes = (type: string) => object({ type: oneOf(type), series: list(series, { min: 1, max: 12 }), axis_config });
  return block('data_visualization', {
    title: text(50),
    chart: typed({
      pie: object({ type: oneOf('pie'), segments: list(segment, { min: 1, max: 12 }) }),
      bar: axes('bar'),
      line: axes('line'),
      area: axes('area'),
    }),
  });
}
