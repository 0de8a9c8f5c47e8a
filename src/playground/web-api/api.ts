import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Faults } from '../faults.ts';
import { copy, type JsonObject, stringOr } from '../json.ts';
import { violations } from '../message-content.ts';
import type { Fault, Json } from '../protocol.ts';
import type { createRateLimits } from '../rate-limits.ts';
import type { TrafficLog } from '../traffic.ts';
import { type Answer, type Context, type Method, refuse } from './method.ts';
import { methods } from './methods.ts';
import { readArguments, readBody, typedArguments } from './request.ts';

/** A call of the bot, as `calls()` gives it. `answer` is absent when the connection broke or HTTP failed instead. */
export type ApiCall = { method: string; args: JsonObject; at: number; answer?: Answer; fault?: Fault['kind'] };

/** Of the bot's token, the app's, and whether they still work. */
export type Tokens = { bot: string; app: string; revoked: boolean };

/** Stands before and after each processing: tests stop the bot's process just there. */
export type OnCall = (call: { method: string; args: JsonObject; when: 'before' | 'after' }) => void | Promise<void>;

const KEPT_CALLS = 50_000;

export type WebApi = ReturnType<typeof createWebApi>;

/** `/api/<method>`: token, rate limit, faults, arguments, scopes, then the method itself. */
export function createWebApi(deps: {
  context: Context;
  tokens: Tokens;
  faults: Faults;
  traffic: TrafficLog;
  /** An unknown argument is refused; else it is only loud. */
  strict: boolean;
  /** Only the long-standing methods exist. */
  legacy: boolean;
  limits: ReturnType<typeof createRateLimits> | undefined;
  onCall: OnCall | undefined;
}) {
  const { context, tokens, faults, traffic } = deps;
  const calls: ApiCall[] = [];

  function find(name: string): Method | undefined {
    const method = Object.hasOwn(methods, name) ? methods[name] : undefined;
    return method?.recent && deps.legacy ? undefined : method;
  }

  /** Why this token does not fit, if it does not. */
  function tokenProblem(method: Method, token: string): Answer | undefined {
    if (method.token === 'none') return undefined;
    if (token === '') return refuse('not_authed');
    if (token !== tokens.bot && token !== tokens.app) return refuse('invalid_auth');
    if (token === tokens.bot && tokens.revoked) return refuse('account_inactive');
    const kind = token === tokens.bot ? 'bot' : 'app';
    return kind === method.token ? undefined : refuse('not_allowed_token_type');
  }

  function scopeProblem(method: Method, args: JsonObject): Answer | undefined {
    const channel = context.ws.channels.get(stringOr(args.channel));
    const needed = typeof method.scopes === 'function' ? method.scopes(channel) : method.scopes;
    if (needed.length === 0 || needed.some((scope) => context.manifest.scopes.includes(scope))) return undefined;
    return refuse('missing_scope', { needed: needed.join(','), provided: context.manifest.scopes.join(',') });
  }

  /** All that comes before the method: the answer of a call that must not reach it, or its arguments. */
  function admit(
    name: string,
    sent: JsonObject | { error: string },
    token: string,
  ): { method: Method; args: JsonObject } | Answer {
    const method = find(name);
    if (!method) {
      context.warn(
        name,
        deps.legacy ? 'This workspace does not know this method.' : 'The playground does not serve this method.',
      );
      return refuse('unknown_method', { req_method: name });
    }
    const wrongToken = tokenProblem(method, token);
    if (wrongToken) return wrongToken;
    if ('error' in sent && !('error' in method.args)) return refuse(stringOr(sent.error));
    const { args, unknown, missing, error } = typedArguments(sent, method);
    if (unknown.length > 0) {
      context.warn(name, `Unknown argument: ${unknown.join(', ')}.`);
      const lines = unknown.map((argument) => `unknown argument: ${argument}`);
      if (deps.strict) return violations('invalid_arguments', lines) as Answer;
    }
    const missingScope = scopeProblem(method, args);
    if (missingScope) return missingScope;
    if (error !== undefined) return refuse(error);
    if (missing.length > 0) {
      return violations(
        'invalid_arguments',
        missing.map((argument) => `missing required field: ${argument}`),
      ) as Answer;
    }
    return { method, args };
  }

  async function process(name: string, sent: JsonObject | { error: string }, token: string): Promise<Answer> {
    const admitted = admit(name, sent, token);
    if ('ok' in admitted) return admitted as Answer;
    const { method, args } = admitted as { method: Method; args: JsonObject };
    return copy(await method.run(args, context));
  }

  /** Seconds to wait, of a call that is one too many. */
  function tooMany(name: string, args: JsonObject | { error: string }): number | undefined {
    const tier = find(name)?.tier;
    return tier === undefined ? undefined : deps.limits?.(name, tier, stringOr((args as JsonObject).channel));
  }

  function record(call: ApiCall, started: number, title: string, warning?: string): void {
    calls.push(call);
    if (calls.length > KEPT_CALLS) calls.splice(0, calls.length - KEPT_CALLS);
    const error = call.answer?.ok === false ? String(call.answer.error) : undefined;
    // How an app is meant to learn what a workspace has is nothing to be loud about.
    const refused = error !== undefined && error !== 'feature_disabled' ? `Refused: ${error}` : undefined;
    const loud = warning ?? refused;
    traffic.log({
      kind: call.fault ? 'fault' : 'api',
      title,
      ok: call.answer?.ok === true,
      ms: context.clock.now() - started,
      request: call.args,
      ...(call.answer ? { response: call.answer as Json } : {}),
      ...(loud === undefined ? {} : { warning: loud }),
    });
  }

  async function handle(name: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const started = context.clock.now();
    const body = await readBody(request);
    if (body === undefined) return void response.writeHead(413).end();
    const sent = await readArguments(request, body);
    const token = tokenOf(request, sent);
    const { token: _, ...shown } = sent as JsonObject;
    const args = find(name) ? typedArguments(shown, find(name) as Method).args : shown;
    const fault = faults.take(name, stringOr(args.channel ?? args.channel_id));
    const call: ApiCall = { method: name, args, at: started, ...(fault ? { fault: fault.kind } : {}) };
    const run = async () => {
      await deps.onCall?.({ method: name, args, when: 'before' });
      const answer = await process(name, sent, token);
      call.answer = answer;
      await deps.onCall?.({ method: name, args, when: 'after' });
      return answer;
    };
    if (fault) return withFault(fault, call, started, run, request, response);
    const wait = tooMany(name, sent);
    if (wait !== undefined) {
      call.answer = refuse('ratelimited');
      record(call, started, name, `Too many calls: Retry-After ${wait} s.`);
      return rateLimited(response, wait);
    }
    const answer = await run();
    record(call, started, name);
    reply(response, answer);
  }

  async function withFault(
    fault: Fault,
    call: ApiCall,
    started: number,
    run: () => Promise<Answer>,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const title = `${call.method}: ${fault.kind}`;
    switch (fault.kind) {
      case 'drop_before':
        record(call, started, title, 'Dropped before it was processed.');
        request.socket.destroy();
        return;
      case 'drop_after':
        await run();
        record(call, started, title, 'Processed, then the connection was dropped.');
        request.socket.destroy();
        return;
      case 'http_500_before':
        record(call, started, title, 'HTTP 500, not processed.');
        return void response.writeHead(500, { 'content-type': 'text/plain' }).end('internal server error');
      case 'http_500_after':
        await run();
        record(call, started, title, 'HTTP 500, although it was processed.');
        return void response.writeHead(500, { 'content-type': 'text/plain' }).end('internal server error');
      case 'internal_error':
        await run();
        record(call, started, title, 'internal_error, although it was processed.');
        return reply(response, refuse('internal_error'));
      case 'rate_limited':
        record(call, started, title, 'HTTP 429, not processed.');
        return rateLimited(response, fault.value ?? 1);
      case 'refuse':
        call.answer = refuse(fault.error ?? 'fatal_error');
        record(call, started, title);
        return reply(response, call.answer);
      case 'slow': {
        const answer = await run();
        record(call, started, title, `Processed, answered ${fault.value ?? 1_000} ms later.`);
        await new Promise<void>((resolve) => void context.clock.after(fault.value ?? 1_000, resolve));
        return reply(response, answer);
      }
      default:
        return fault.kind satisfies never;
    }
  }

  function reply(response: ServerResponse, answer: Answer): void {
    if (response.destroyed) return;
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'x-oauth-scopes': context.manifest.scopes.join(','),
      'x-slack-req-id': context.ids.hex(32),
    });
    response.end(JSON.stringify(answer));
  }

  function rateLimited(response: ServerResponse, seconds: number): void {
    response.writeHead(429, { 'content-type': 'application/json', 'retry-after': String(seconds) });
    response.end(JSON.stringify(refuse('ratelimited')));
  }

  return {
    handle,
    calls: (method?: string): ApiCall[] => calls.filter((call) => method === undefined || call.method === method),
  };
}

function tokenOf(request: IncomingMessage, sent: JsonObject | { error: string }): string {
  const bearer = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
  return bearer ?? stringOr((sent as JsonObject).token);
}
