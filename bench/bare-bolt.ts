/** What an ack costs at the least: Bolt with its own receiver and listeners that do nothing but ack. */
import { App } from '@slack/bolt';

const { SLACK_APP_TOKEN, SLACK_SIGNING_SECRET = '', SLACK_API_URL = '', SLACK_BOT_TOKEN = '', PORT } = process.env;
const app = new App({
  token: SLACK_BOT_TOKEN,
  ...(SLACK_APP_TOKEN ? { socketMode: true, appToken: SLACK_APP_TOKEN } : { signingSecret: SLACK_SIGNING_SECRET }),
  clientOptions: { slackApiUrl: SLACK_API_URL },
});
app.event('app_mention', async () => {});
app.action(/^/, async ({ ack }) => ack());
process.on('SIGTERM', () => void app.stop().then(() => process.exit(0)));
process.on('disconnect', () => process.exit(1)); // its driver is gone
await app.start({ port: Number(PORT ?? 0), host: '127.0.0.1' });
process.send?.({ ready: { ms: performance.now(), port: Number(PORT ?? 0) } });
