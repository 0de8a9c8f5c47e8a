import { appMethods } from './apps.ts';
import { chatMethods } from './chat.ts';
import { conversationMethods } from './conversations.ts';
import { fileMethods } from './files.ts';
import type { Methods } from './method.ts';
import { reactionMethods } from './reactions.ts';
import { sessionMethods } from './sessions.ts';
import { streamMethods } from './streams.ts';
import { userGroupMethods } from './user-groups.ts';
import { userMethods } from './users.ts';
import { viewMethods } from './views.ts';

/** Every method that the playground serves. */
export const methods: Methods = {
  ...appMethods,
  ...chatMethods,
  ...conversationMethods,
  ...fileMethods,
  ...reactionMethods,
  ...sessionMethods,
  ...streamMethods,
  ...userGroupMethods,
  ...userMethods,
  ...viewMethods,
};
