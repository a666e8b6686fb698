import { testMigration } from './migration.test-support.ts';

testMigration('the embedded server', {});
