import { taskEngineSuite } from '../../../suites/taskEngineSuite.ts';
import { openEngine } from '../../../support/openEngine.ts';

taskEngineSuite('EmbeddedEngine', openEngine);
