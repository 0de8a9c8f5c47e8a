/** What every component may use: the world, who is acting, and how to act. One context, made in app.tsx. */
import { createContext, useContext } from 'react';
import type { Action, Done, PlaygroundUser, StateValues } from '../protocol.ts';
import type { ReadMarks } from './perspective.ts';
import type { Place } from './place.ts';
import type { World } from './world.ts';

type WithoutAs<A> = A extends unknown ? Omit<A, 'as'> : never;
/** An action, before it is known who acts. */
export type Deed = WithoutAs<Action>;

export type Desk = {
  world: World;
  me: PlaygroundUser;
  marks: ReadMarks;
  place: Place;
  go(place: Place): void;
  /** Acts as `me`. What went wrong is told to the person; the caller only looks if it has more to do. */
  act(deed: Deed): Promise<Done>;
  notify(text: string): void;
  /** What was entered in the controls of one message or view, by this person, and not necessarily sent. */
  entered(form: string): StateValues;
  enter(form: string, values: StateValues): void;
  /** ms since 1970 */
  now(): number;
};

export const DeskContext = createContext<Desk | undefined>(undefined);

export function useDesk(): Desk {
  const desk = useContext(DeskContext);
  if (!desk) throw new Error('A component of the page was drawn outside of <App>.');
  return desk;
}
