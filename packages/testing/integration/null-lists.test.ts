import { testNullLists } from './null-lists.test-support.ts';

testNullLists('the embedded server', { backend: 'embedded' });
