import { relative } from 'node:path'
import { BaseSequencer, type Reporter, type TestModule, type TestSpecification } from 'vitest/node'

/** Server test files that assert a maximum waiting time by the machine's own clock */
export const MEASURED: readonly string[] = [
  'server/src/db/version-0-1.test.ts',
  'server/src/demo/create-demo-data.test.ts',
  'server/src/domain/lab/classroom/class.test.ts',
  'server/src/domain/lab/machine/watch.test.ts',
  'server/src/domain/lab/order/calls.test.ts',
  'server/src/domain/people/user/invite.test.ts',
  'server/src/domain/people/user/login-storm.test.ts',
  'server/src/domain/people/user/people.test.ts',
  'server/src/domain/people/user/login-timing.test.ts',
  'server/src/domain/people/user/session.test.ts',
  'server/src/http/anonymous.test.ts',
  'server/src/http/session-cache.test.ts',
  'server/test/failover.test.ts',
]

const isMeasured = (root: string, moduleId: string): boolean => MEASURED.includes(relative(root, moduleId))

/** Runs time-measuring files first, then the server's other files, which take longest. */
export class MeasuredFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification): number =>
      isMeasured(project.vitest.config.root, moduleId) ? 0 : project.name === 'server' ? 1 : 2
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}

export const MEASURED_ENDED = 'measured files have ended'

export default class TellMeasured implements Reporter {
  readonly #left = new Set<string>()

  onTestRunStart(files: readonly TestSpecification[]): void {
    for (const { moduleId, project } of files)
      if (isMeasured(project.vitest.config.root, moduleId)) this.#left.add(moduleId)
  }

  onTestModuleEnd({ moduleId }: TestModule): void {
    if (this.#left.delete(moduleId) && this.#left.size === 0) process.send?.(MEASURED_ENDED)
  }
}
