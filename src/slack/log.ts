/** How this room logs, and the same log in the shape that Slack's packages want. */
import { type Logger, LogLevel } from '@slack/bolt';

/** A pino logger is one. Message text and tokens never go into it above debug level. */
export type Log = {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

/** Slack's packages write whole frames and bodies at debug level, with people's words and tickets in them: those lines are dropped. */
export function slackLogger(log: Log): Logger {
  const line = (parts: unknown[]) =>
    parts.map((part) => (part instanceof Error ? part.message : String(part))).join(' ');
  return {
    debug: () => {},
    info: (...parts) => log.debug({ from: 'slack sdk' }, line(parts)),
    warn: (...parts) => log.warn({ from: 'slack sdk' }, line(parts)),
    error: (...parts) => log.error({ from: 'slack sdk' }, line(parts)),
    setLevel: () => {},
    getLevel: () => LogLevel.INFO,
    setName: () => {},
  };
}
