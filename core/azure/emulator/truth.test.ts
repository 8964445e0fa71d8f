import { expect, test } from 'vitest'
import { inSubscription } from '@trainyard/platform/emulator/test/test-emulator.ts'
import { openLab, putMachine } from '@trainyard/platform/emulator/test/lab.ts'
import { sharedTestEmulator } from '@trainyard/platform/emulator/test/shared-test-emulator.ts'

const MACHINES = 500

/** Creates the machines, and returns the CPU time of this test and its emulator in microseconds. */
async function timeToPut(names: readonly string[]): Promise<number> {
  const before = process.cpuUsage()
  await Promise.all(names.map((name) => putMachine(emulator, name)))
  const { user, system } = process.cpuUsage(before)
  return user + system
}

const emulator = await sharedTestEmulator()
await openLab(emulator)
const names = Array.from({ length: MACHINES }, (_, number) => `m-${number}`)
const fifths = [0, 1, 2, 3, 4].map((fifth) => names.slice((fifth * MACHINES) / 5, ((fifth + 1) * MACHINES) / 5))
const times: number[] = []
for (const fifth of fifths) times.push(await timeToPut(fifth))

test(`creates ${MACHINES} machines, each with its own address, and the last no slower than the first`, async () => {
  const { body } = await emulator.control('GET', '/_truth')
  expect(body.machines).toHaveLength(MACHINES)
  expect(body.disks).toHaveLength(MACHINES)
  expect(body.calls.VirtualMachines_CreateOrUpdate).toBe(MACHINES)
  type Address = { properties: { ipAddress: string } }
  expect(new Set(body.addresses.map((address: Address) => address.properties.ipAddress)).size).toBe(MACHINES)
  // The first fifth also compiles the code. Work per machine that grows with their number would multiply the last.
  expect(times.at(-1)! / times[1]!).toBeLessThan(2.5)
})

test('lists the power of every machine once, in pages of 200', async () => {
  const names: string[] = []
  let pages = 0
  let path: string | undefined = `${inSubscription}/providers/Microsoft.Compute/virtualMachines?statusOnly=true`
  while (path !== undefined) {
    const { body } = await emulator.arm('GET', path)
    pages += 1
    for (const { name, properties } of body.value) {
      expect(properties.instanceView.statuses[1].code).toBe('PowerState/running')
      names.push(name)
    }
    if (body.nextLink === undefined) break
    expect(body.nextLink).toMatch(/^https:\/\/management\.azure\.com\//)
    const next = new URL(body.nextLink)
    next.searchParams.delete('api-version')
    path = next.pathname + next.search
  }
  expect(pages).toBe(3)
  expect(new Set(names).size).toBe(MACHINES)
})

test('rejects an unknown part and lists the known ones', async () => {
  const reply = await emulator.control('GET', '/_truth?part=secrets')
  expect(reply.status).toBe(400)
  expect(reply.body.error).toContain('machines')
})

test('refuses to turn the clock back and sends the clock with every reply', async () => {
  const stepped = await emulator.control('POST', '/_clock', { mode: 'stepped', set: '2099-01-01T00:00:00Z' })
  expect(stepped.body).toEqual({ mode: 'stepped', now: '2099-01-01T00:00:00.000Z' })
  expect((await emulator.control('POST', '/_clock', { set: '2098-01-01T00:00:00Z' })).status).toBe(400)
  for (const path of ['/_truth?part=calls', '/mailbox', '/nowhere']) {
    const { headers } = await fetch(emulator.url + path)
    expect(headers.get('date')).toBe('Thu, 01 Jan 2099 00:00:00 GMT')
  }
  const real = await emulator.control('POST', '/_clock', { mode: 'real' })
  expect(new Date(real.body.now).getUTCFullYear()).toBe(2099)
})
