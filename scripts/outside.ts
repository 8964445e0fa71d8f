import { writeFileSync } from 'node:fs'
import type { Reporter, SerializedError, TestModule } from 'vitest/node'

/** Output file for errors outside all tests. Vitest's own report only counts them, in its exit code. */
const OUTPUT_FILE = process.env['ERRORS_OUTSIDE_TESTS']

export default class TellOutside implements Reporter {
  onTestRunEnd(_: readonly TestModule[], errors: readonly SerializedError[]): void {
    if (OUTPUT_FILE === undefined) return
    const messages = errors.map(({ message, stack, VITEST_TEST_PATH: file, VITEST_TEST_NAME: name }) =>
      [file, name, stack ?? message].filter((part) => typeof part === 'string').join('\n'),
    )
    writeFileSync(OUTPUT_FILE, JSON.stringify(messages))
  }
}
