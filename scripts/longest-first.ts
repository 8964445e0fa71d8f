import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The files that take longest: those that compute and those that wait by turns. One that begins last keeps a core idle
 * at the end.
 */
export const LONGEST = [
  'server/src/worker/storm.test.ts',
  'server/src/start/supervise.test.ts',
  'server/src/access/access.test.ts',
  'server/src/worker/payment-storm.test.ts',
  'server/src/worker/azure-labs-faults.storm.test.ts',
  'emulator/src/azure/contract.test.ts',
  'server/src/domain/sandbox/aws/fault-storm.test.ts',
  'server/src/domain/sandbox/aws/labs.test.ts',
  'server/src/worker/azure-fault-storm.test.ts',
  'server/src/worker/calls.test.ts',
  'server/src/domain/image/capture.test.ts',
  'emulator/src/main.test.ts',
  'server/src/providers/azure/many-storm.test.ts',
  'server/src/domain/sandbox/aws/no-way-in-model.test.ts',
]

/** Vitest goes by how long each file took before, and on a machine that has no record of that by its size. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}`))
      return at === -1 ? LONGEST.length : at
    }
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b))
  }
}
