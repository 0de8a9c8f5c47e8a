/** Every limit of Slack's that our views are held to: what meets it exactly passes both validators, one more passes none. */
import { expect, test } from 'vitest';
import { createIds } from '../../src/playground/ids.ts';
import type { JsonObject } from '../../src/playground/json.ts';
import { isRefusal, readContent } from '../../src/playground/message-content.ts';
import { checkView } from '../../src/playground/validator/payloads.ts';
import { checkHome, checkMessage, checkModal, LIMITS } from '../../src/slack/limits.ts';
import { limitAt, type Payload, pathsOf, slackLimits } from './slack-limits.ts';

/** Ours: before anything leaves. */
function ours(payload: Payload): string[] {
  const problems =
    payload.as === 'message'
      ? checkMessage(payload as never)
      : payload.as === 'modal'
        ? checkModal(payload.view as never)
        : checkHome(payload.view as never);
  return problems.map(({ pointer }) => pointer);
}

/** The playground's: as it takes the call. A text that Slack cuts is a warning there. */
function theirs(payload: Payload): string[] {
  if (payload.as !== 'message')
    return checkView(JSON.parse(JSON.stringify(payload.view))).map(({ pointer }) => pointer);
  const { text, blocks, edit } = payload;
  const args = JSON.parse(JSON.stringify({ text, blocks })) as JsonObject;
  const content = readContent(args, createIds('limits'), edit ? LIMITS.message.updatedText : undefined);
  return isRefusal(content) ? [content.error] : content.warnings;
}

test('the table has each of them', () => {
  expect(slackLimits.map(({ path }) => path).toSorted()).toEqual(pathsOf(LIMITS).toSorted());
});

test.each(slackLimits)('$path: what meets it passes, one more does not leave', ({ path, of, stricter }) => {
  const [exact, over] = [of(limitAt(path)), of(limitAt(path) + 1)];
  expect(ours(exact)).toEqual([]);
  expect(theirs(exact)).toEqual([]);
  // The length of an edit's text is known where edits are made.
  if (path !== 'message.updatedText') expect(ours(over)).not.toEqual([]);
  if (stricter === undefined) expect(theirs(over)).not.toEqual([]);
  else expect(theirs(over)).toEqual([]);
});
