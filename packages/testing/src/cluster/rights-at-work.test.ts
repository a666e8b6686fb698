import { testRightsAtWork } from './rights-at-work.test-support.ts';

testRightsAtWork('the embedded server', { backend: 'embedded' });
