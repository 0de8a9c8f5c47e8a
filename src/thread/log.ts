/** Where `thread/` tells the operator; pino fits. Fields name threads, runs and errors, never what a message says. */
export type Log = Record<'debug' | 'info' | 'warn' | 'error', (fields: object, message: string) => void>;
