import { writeFileSync } from 'node:fs'
import type { Reporter, SerializedError, TestModule } from 'vitest/node'

/** Where the errors that no test is at fault for are written: vitest's own report only counts them, by its exit code. */
const PLACE = process.env['ERRORS_OUTSIDE_TESTS']

/** Writes down each error that came outside all tests: a rejection that nothing caught, a process that ended. */
export default class TellOutside implements Reporter {
  onTestRunEnd(_: readonly TestModule[], errors: readonly SerializedError[]): void {
    if (PLACE === undefined) return
    const said = errors.map(({ message, stack, VITEST_TEST_PATH: file, VITEST_TEST_NAME: name }) =>
      [file, name, stack ?? message].filter((part) => typeof part === 'string').join('\n'),
    )
    writeFileSync(PLACE, JSON.stringify(said))
  }
}
