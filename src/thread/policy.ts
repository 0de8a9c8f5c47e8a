/** Who may use the bot, and who may answer a question: DESIGN "The question". Pure; what is not allowed is refused. */
import type { NotAllowed, Person } from './ports.ts';

export type Policy = {
  answers: 'requester' | 'participants' | 'anyone';
  allowGuests: boolean;
  allowExternal: boolean;
  /** Absent: every person, every channel. */
  users?: readonly string[] | undefined;
  channels?: readonly string[] | undefined;
};

/** undefined: this person may use the bot in this channel. */
export function mayNotUse(policy: Policy, person: Person, channel: string): NotAllowed | undefined {
  if (policy.channels && !policy.channels.includes(channel)) return 'channel_not_listed';
  if (policy.users && !policy.users.includes(person.id)) return 'user_not_listed';
  switch (person.standing) {
    case 'member':
      return undefined;
    case 'guest':
      return policy.allowGuests ? undefined : 'guest';
    case 'external':
      return policy.allowExternal ? undefined : 'external';
    case 'unknown':
      return policy.allowExternal ? undefined : 'unknown_person';
    default:
      return person.standing satisfies never;
  }
}

/** What a question, or a run, says of itself to the policy. `people`: whom alone the question is put to. */
export type Asked = {
  channel: string;
  requester: string;
  participants: readonly string[];
  people?: readonly string[];
};

/** undefined: this person may answer, and may stop and retry. */
export function mayNotAnswer(policy: Policy, person: Person, asked: Asked): NotAllowed | undefined {
  const outside = mayNotUse(policy, person, asked.channel);
  if (outside) return outside;
  if (asked.people) return asked.people.includes(person.id) ? undefined : 'not_asked';
  if (person.id === asked.requester) return undefined;
  switch (policy.answers) {
    case 'requester':
      return 'not_requester';
    case 'participants':
      return asked.participants.includes(person.id) ? undefined : 'not_participant';
    case 'anyone':
      return undefined;
    default:
      return policy.answers satisfies never;
  }
}
