/** Fields that many of Slack's payloads have. What does not look like one is not passed on: our own ids are made of them. */
import { z } from 'zod';

/** Of a person, a channel, a file. */
export const slackId = z.string().regex(/^[A-Za-z0-9]+$/);

/** Seconds and microseconds: the time of a message, and its id in its channel. */
export const slackTs = z.string().regex(/^\d+\.\d+$/);
