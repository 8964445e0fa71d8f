import { fileURLToPath } from 'node:url'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { defineConfig } from 'vitest/config'
import { memoryFolder } from '../../server/test/memory.ts'

const memory = memoryFolder()
if (memory !== null) process.env['TMPDIR'] ??= memory

const order = (process.env['MUTANT_TESTS'] ?? '').split(' ')

class InOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const indexOf = ({ moduleId }: TestSpecification) => order.findIndex((test) => moduleId.endsWith(`/${test}`))
    return files.toSorted((a, b) => indexOf(a) - indexOf(b))
  }
}

/** Server tests for `npm run mutants`: one file at a time, on a cluster that is already running. */
export default defineConfig({
  root: fileURLToPath(new URL('../../', import.meta.url)),
  test: {
    include: order,
    globalSetup: ['tools/mutants/running-cluster.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 1,
    sequence: { sequencer: InOrder },
    fsModuleCache: true,
  },
})
