import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { watchContract } from '@trainyard/platform/test/azure-official/watch.ts'
import { machineSpec } from '@trainyard/platform/test/emulated-azure.ts'
import { sharedEmulatedAzure } from '@trainyard/platform/test/shared.ts'

/**
 * Behaviour of the adapter under the emulator's faults. Every message is checked against Azure's published contract.
 */

const watch = watchContract()

const azure = await sharedEmulatedAzure()
const cloud = azure.machines(watch.http)
afterEach(() => azure.clearFaults())
afterAll(async () => {
  await watch.settle()
})

describe('a lost reply', () => {
  const steps = [
    'ResourceGroups_CreateOrUpdate',
    'VirtualNetworks_CreateOrUpdate',
    'NetworkSecurityGroups_CreateOrUpdate',
    'PublicIPAddresses_CreateOrUpdate',
    'NetworkInterfaces_CreateOrUpdate',
    'VirtualMachines_CreateOrUpdate',
  ]
  test.each(steps.map((operation, index) => [operation, index] as const))(
    'of %s creates nothing twice when the creation is repeated',
    async (operation, index) => {
      const fresh = { resourceGroup: `lost-${index}`, name: `lost-${index}` }
      const spec = machineSpec(20 + index, fresh)
      await azure.fault({ kind: 'loseReply', operation, times: 1 })
      await expect(cloud.createMachine(spec, signal())).rejects.toMatchObject({ kind: 'unreachable' })
      await cloud.createMachine(spec, signal())
      expect(await azure.leftovers(spec.name)).toEqual([
        spec.name,
        `${spec.name}-ip`,
        `${spec.name}-nic`,
        `${spec.name}-os`,
      ])
      await azure.delete(cloud, spec)
      expect(await azure.leftovers(spec.name)).toEqual([])
    },
  )

  test.each(['VirtualMachines_Delete', 'VirtualMachines_Start', 'VirtualMachines_Deallocate'])(
    'of %s is repaired by a repeat',
    async (operation) => {
      const spec = machineSpec(30)
      await cloud.createMachine(spec, signal())
      const call = {
        VirtualMachines_Delete: () =>
          cloud.deleteMachine({ ...spec, firstSeenAt: null, isKnownToExist: false }, signal()),
        VirtualMachines_Start: () => cloud.startMachine(spec, signal()),
        VirtualMachines_Deallocate: () => cloud.stopMachine(spec, signal()),
      }[operation]
      await azure.fault({ kind: 'loseReply', operation, times: 1 })
      await expect(call?.()).rejects.toMatchObject({ kind: 'unreachable' })
      await call?.()
      await azure.delete(cloud, spec)
      expect(await azure.leftovers(spec.name)).toEqual([])
    },
  )
})

describe('errors', () => {
  test.each([
    ['throttle', 'throttled', 9],
    ['refuseCapacity', 'capacity', null],
    ['refuseQuota', 'quota', null],
    ['serverError', 'unreachable', null],
    ['loseReply', 'unreachable', null],
    ['dropConnection', 'unreachable', null],
    ['unauthorised', 'unauthorised', null],
  ])('maps %s to %s', async (injected, kind, retryAfter) => {
    const spec = machineSpec(50)
    await azure.fault({ kind: injected, operation: 'VirtualMachines_CreateOrUpdate', times: 1, retryAfter: 9 })
    await expect(cloud.createMachine(spec, signal())).rejects.toMatchObject({ kind, retryAfter })
    await azure.delete(cloud, spec)
  })

  test('reports an unreadable response as unreachable', async () => {
    const spec = machineSpec(51)
    await cloud.createMachine(spec, signal())
    await azure.fault({ kind: 'malformed', times: 2 })
    // These responses are not checked, because they violate the contract on purpose.
    const unwatched = azure.machines()
    await expect(unwatched.getMachine(spec, signal())).rejects.toMatchObject({ kind: 'unreachable' })
    await expect(unwatched.restartMachine(spec, signal())).rejects.toMatchObject({ kind: 'unreachable' })
    await azure.delete(cloud, spec)
  })

  test('aborts a call without a response when the caller aborts', async () => {
    await azure.fault({ kind: 'hang', times: 1 })
    await expect(cloud.getMachine(machineSpec(52), AbortSignal.timeout(200))).rejects.toMatchObject({
      kind: 'unreachable',
    })
  })

  test('names an unknown size in its error', async () => {
    const spec = machineSpec(53, { size: 'Standard_Dream_v9' })
    await expect(cloud.createMachine(spec, signal())).rejects.toThrow(/Standard_Dream_v9/)
    await azure.delete(cloud, spec)
  })

  test('reports a power call on a missing machine as a conflict', async () => {
    await expect(cloud.startMachine(machineSpec(54), signal())).rejects.toMatchObject({ kind: 'conflict' })
  })
})

function signal(): AbortSignal {
  return AbortSignal.timeout(20_000)
}
