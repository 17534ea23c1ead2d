// Reporter of Vitest: adds a line of JSON to the file in TEST_RESULTS. `passed` and `failed` are numbers of tests,
// `files` has the seconds of each file: its imports, its hooks and its tests.
import { appendFileSync } from 'node:fs';
import { env } from 'node:process';

export default class TestDurations {
  onTestRunEnd(modules) {
    const results = { passed: 0, failed: 0, files: {} };
    for (const module of modules) {
      const states = Array.from(module.children.allTests(), (test) => test.result().state);
      const failed = states.filter((state) => state === 'failed').length;
      results.passed += states.filter((state) => state === 'passed').length;
      // A file that could not be loaded has no tests.
      results.failed += failed > 0 || module.ok() ? failed : 1;
      const { collectDuration, duration } = module.diagnostic();
      results.files[`${module.project.name} ${module.relativeModuleId}`] = (collectDuration + duration) / 1_000;
    }
    appendFileSync(env.TEST_RESULTS, `${JSON.stringify(results)}\n`);
  }
}
