import { fileURLToPath } from 'node:url'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { defineConfig } from 'vitest/config'
import { memoryFolder } from '../../server/test/memory.ts'

const memory = memoryFolder()
if (memory !== null) process.env['TMPDIR'] ??= memory

/** The tests that judge a mutant, in the order in which they do. */
const order = (process.env['MUTANT_TESTS'] ?? '').split(' ')

class InOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification) => order.findIndex((test) => moduleId.endsWith(`/${test}`))
    return files.toSorted((a, b) => placeOf(a) - placeOf(b))
  }
}

/** The server's tests for `npm run mutants`: one file after the other, in a cluster that stands already. */
export default defineConfig({
  root: fileURLToPath(new URL('../../', import.meta.url)),
  test: {
    include: order,
    globalSetup: ['scripts/mutants/standing-cluster.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 1,
    sequence: { sequencer: InOrder },
    fsModuleCache: true,
  },
})
