/** The options of a command of this repository; whatever else is given, `--help` too, is answered with its usage, and ends the process. */
import { type ParseArgsConfig, parseArgs } from 'node:util';

type Options = NonNullable<ParseArgsConfig['options']>;

export function optionsOf<const Known extends Options>(command: string, options: Known) {
  try {
    return parseArgs({ options, allowPositionals: false, strict: true }).values;
  } catch {
    const told = Object.entries(options).map(([name, { type, default: usual }]) => {
      if (type === 'boolean') return `[--${name}]`;
      return `[--${name} ${usual === undefined || usual === '' ? '…' : String(usual)}]`;
    });
    console.error(`Usage: npm run ${command} -- ${told.join(' ')}`);
    return process.exit(2);
  }
}
