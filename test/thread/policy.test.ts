import { expect, test } from 'vitest';
import { mayNotAnswer, mayNotUse, type Policy } from '../../src/thread/policy.ts';
import type { NotAllowed, Person } from '../../src/thread/ports.ts';

const strict: Policy = { answers: 'requester', allowGuests: false, allowExternal: false };
const ann: Person = { id: 'UANN', standing: 'member' };

test.each<[string, Partial<Policy>, Partial<Person>, NotAllowed | undefined]>([
  ['a member', {}, {}, undefined],
  ['a guest', {}, { standing: 'guest' }, 'guest'],
  ['a guest, where guests may', { allowGuests: true }, { standing: 'guest' }, undefined],
  ['someone of another company', { allowGuests: true }, { standing: 'external' }, 'external'],
  ['someone of another company, where they may', { allowExternal: true }, { standing: 'external' }, undefined],
  ['someone who cannot be looked up', { allowGuests: true }, { standing: 'unknown' }, 'unknown_person'],
  ['someone who cannot be looked up, where strangers may', { allowExternal: true }, { standing: 'unknown' }, undefined],
  ['someone not listed', { users: ['UBOB'] }, {}, 'user_not_listed'],
  ['someone listed', { users: ['UANN'] }, {}, undefined],
  ['a list that is empty', { users: [] }, {}, 'user_not_listed'],
  ['a guest who is listed', { users: ['UANN'] }, { standing: 'guest' }, 'guest'],
  ['a channel not listed', { channels: ['C2'] }, {}, 'channel_not_listed'],
  ['a channel listed', { channels: ['C1'] }, {}, undefined],
])('who may use the bot: %s', (_, policy, person, expected) => {
  expect(mayNotUse({ ...strict, ...policy }, { ...ann, ...person }, 'C1')).toBe(expected);
});

test.each<[string, Policy['answers'], Partial<Person>, NotAllowed | undefined]>([
  ['the requester', 'requester', { id: 'UREQ' }, undefined],
  ['another person', 'requester', {}, 'not_requester'],
  ['one who wrote in the thread', 'participants', { id: 'UWRO' }, undefined],
  ['one who did not', 'participants', {}, 'not_participant'],
  ['anyone', 'anyone', {}, undefined],
  ['a guest among anyone', 'anyone', { standing: 'guest' }, 'guest'],
  ['a requester who is a guest by now', 'requester', { id: 'UREQ', standing: 'guest' }, 'guest'],
])('who may answer: %s under "%s"', (_, answers, person, expected) => {
  const asked = { channel: 'C1', requester: 'UREQ', participants: ['UREQ', 'UWRO'] };
  expect(mayNotAnswer({ ...strict, answers }, { ...ann, ...person }, asked)).toBe(expected);
});
