import { testChangedDefinition } from './changed-definition.test-support.ts';

testChangedDefinition('the embedded server', { backend: 'embedded' });
