import { testWebhooks } from './webhooks.test-support.ts';

testWebhooks('the embedded server', { backend: 'embedded' });
