import { testSubresources } from './webhook-subresources.test-support.ts';

testSubresources('the embedded server', {});
