/** Addressees over a list of messages: whoever was named is found, and faults come on demand. */
import type { Addressed, Addressees, AddressRequest } from '../../src/thread/addressees-port.ts';
import type { Clock, Delivery, QuestionView } from '../../src/thread/ports.ts';

export type PaperInvitation = { ts: string; person: string; id: string; shows: QuestionView; deleted: boolean };

/** `lost`: it happens, and its answer does not arrive. `dropped`: neither. */
type Fault = 'lost' | 'dropped' | 'refused' | 'gone' | { retryAfter: number };
type Method = 'invite' | 'repaint' | 'remove';

export type PaperAddressees = Addressees & {
  invitations: PaperInvitation[];
  requests: AddressRequest[];
  calls: string[];
  /** What the next searches come to; then everybody who was named is found. */
  answers: Addressed[];
  fault(method: Method, ...faults: (Fault | undefined)[]): void;
  standing(): PaperInvitation[];
};

export function createPaperAddressees(clock: Clock): PaperAddressees {
  const faults: Partial<Record<Method, (Fault | undefined)[]>> = {};
  const invitations: PaperInvitation[] = [];
  let count = 0;

  async function call(method: Method, act: () => string): Promise<Delivery> {
    paper.calls.push(method);
    const fault = faults[method]?.shift();
    if (fault === undefined) return { ok: true, ts: act() };
    if (fault === 'lost') act();
    if (fault === 'lost' || fault === 'dropped') return { ok: false, error: 'ambiguous', reason: 'timeout' };
    if (fault === 'refused' || fault === 'gone') return { ok: false, error: fault, reason: 'cannot_dm_user' };
    return { ok: false, error: 'later', retryAfter: fault.retryAfter, reason: 'ratelimited' };
  }

  const paper: PaperAddressees = {
    invitations,
    requests: [],
    calls: [],
    answers: [],
    fault(method, ...next) {
      faults[method] = next;
    },
    standing: () => invitations.filter(({ deleted }) => !deleted),
    async address(request) {
      paper.requests.push(request);
      const answer = paper.answers.shift();
      if (answer) return answer;
      const isKnown = (id: string) => id === request.requester || request.named.includes(id);
      return request.to.every(isKnown)
        ? { status: 'found', people: [...request.to] }
        : { status: 'refused', reason: 'Nobody named them.' };
    },
    invite: (question, person, id) =>
      call('invite', () => {
        count += 1;
        const ts = `${Math.floor(clock.now() / 1000)}.9${String(count).padStart(5, '0')}`;
        invitations.push({ ts, person, id, shows: question, deleted: false });
        return ts;
      }),
    repaint: (question, _person, ts) =>
      call('repaint', () => {
        for (const one of invitations) if (one.ts === ts) one.shows = question;
        return ts;
      }),
    async find(person, id) {
      paper.calls.push('find');
      return paper.standing().find((one) => one.person === person && one.id === id)?.ts;
    },
    remove: (_person, ts) =>
      call('remove', () => {
        for (const one of invitations) if (one.ts === ts) one.deleted = true;
        return ts;
      }),
  };
  return paper;
}
