/** An order for a whole course: 500 machines are created, 32 concurrently. The second test loses every tenth reply. */
import { afterAll, expect, test } from 'vitest'
import { watchContract } from '@trainyard/platform/test/azure-official/watch.ts'
import type { AzureMachineSpec } from './azure-spec.ts'
import { CloudError } from '@trainyard/platform/server/providers/errors.ts'
import { machineSpec } from '@trainyard/platform/test/emulated-azure.ts'
import { sharedEmulatedAzure } from '@trainyard/platform/test/shared.ts'

/** A whole course with `npm run storm`, fewer in the normal test run. */
const MACHINES = process.env.STORM === 'long' ? 500 : 96
const CONCURRENCY = 32
const watch = watchContract()

const azure = await sharedEmulatedAzure()
afterAll(async () => {
  await watch.settle()
}, 120_000)

test(`creates each of ${MACHINES} machines exactly once`, async () => {
  const began = performance.now()
  const { errors } = await createAll((number) => machineSpec(number))
  const seconds = (performance.now() - began) / 1000
  process.stdout.write(`${MACHINES} machines, ${CONCURRENCY} at a time: ${seconds.toFixed(1)} s\n`)
  expect(errors).toBe(0)
  await expectEachOnce('linux-101-')
}, 120_000)

test(`creates each of ${MACHINES} machines exactly once although every tenth reply is lost`, async () => {
  await azure.fault({ kind: 'loseReply', operation: 'VirtualMachines_CreateOrUpdate', every: 10 })
  await azure.fault({ kind: 'loseReply', operation: 'NetworkInterfaces_CreateOrUpdate', every: 10 })
  const { errors } = await createAll((number) => machineSpec(1000 + number, { name: `lossy-${number}` }))
  await azure.clearFaults()
  expect(errors).toBeGreaterThan(MACHINES / 10)
  await expectEachOnce('lossy-')
}, 120_000)

/** Creates every machine, retrying as the reconciler does, and counts the failed attempts. */
async function createAll(specOf: (number: number) => AzureMachineSpec): Promise<{ errors: number }> {
  const cloud = azure.machines(watch.http)
  const numbers = Array.from({ length: MACHINES }, (_, index) => index + 1)
  let errors = 0
  const worker = async () => {
    for (let number = numbers.pop(); number !== undefined; number = numbers.pop()) {
      try {
        await cloud.createMachine(specOf(number), AbortSignal.timeout(60_000))
      } catch (problem) {
        if (!(problem instanceof CloudError) || problem.kind !== 'unreachable') throw problem
        errors += 1
        numbers.push(number)
      }
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker))
  return { errors }
}

async function expectEachOnce(prefix: string) {
  const truth = await azure.truth()
  const expected = Array.from({ length: MACHINES }, (_, index) => `${prefix}${index + 1}`).toSorted()
  const existing = (resources: readonly { readonly name: string }[], suffix: string) =>
    resources
      .map(({ name }) => name)
      .filter((name) => name.startsWith(prefix) && name.endsWith(suffix))
      .map((name) => name.slice(0, name.length - suffix.length))
      .toSorted()
  expect(existing(truth.machines, '')).toEqual(expected)
  expect(existing(truth.networkInterfaces, '-nic')).toEqual(expected)
  expect(existing(truth.addresses, '-ip')).toEqual(expected)
  expect(existing(truth.disks, '-os')).toEqual(expected)

  const listed: string[] = []
  for await (const { name, seen } of azure.machines(watch.http).listMachines(AbortSignal.timeout(60_000))) {
    if (name.startsWith(prefix) && seen?.state === 'running') listed.push(name)
  }
  expect(listed.toSorted()).toEqual(expected)
}
