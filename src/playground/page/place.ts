/** Where one is, kept in the address: a reload stays there, and two windows can be two people. */
export type Place = { as?: string; channel?: string; thread?: string; tab?: 'home' };

export function readPlace(hash: string): Place {
  const params = new URLSearchParams(hash.replace(/^#/, ''));
  const place: Place = {};
  const as = params.get('as');
  const channel = params.get('channel');
  const thread = params.get('thread');
  if (as) place.as = as;
  if (channel) place.channel = channel;
  if (thread) place.thread = thread;
  if (params.get('tab') === 'home') place.tab = 'home';
  return place;
}

export function writePlace(place: Place): string {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(place)) if (value) params.set(key, value);
  return `#${params}`;
}
