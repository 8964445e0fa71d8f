import { expect, test } from 'vitest'
import { inSubscription } from '#test/test-emulator.ts'
import { openLab, putMachine } from '#test/lab.ts'
import { sharedTestEmulator } from '#test/shared-test-emulator.ts'

const MACHINES = 500

/** Returns the CPU time of this test and its emulator in milliseconds, which load on the host does not increase. */
const cpuTimeMs = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

const emulator = await sharedTestEmulator()
await openLab(emulator)
const cpuBefore = cpuTimeMs()
await Promise.all(Array.from({ length: MACHINES }, (_, number) => putMachine(emulator, `m-${number}`)))
const cpuUsed = cpuTimeMs() - cpuBefore

test(`creates ${MACHINES} machines within seconds, each with its own address`, async () => {
  process.stdout.write(`${MACHINES} machines, ${MACHINES * 5} calls: ${Math.round(cpuUsed)} ms of work.\n`)
  const { body } = await emulator.control('GET', '/_truth')
  expect(body.machines).toHaveLength(MACHINES)
  expect(body.disks).toHaveLength(MACHINES)
  expect(body.calls.VirtualMachines_CreateOrUpdate).toBe(MACHINES)
  type Address = { properties: { ipAddress: string } }
  expect(new Set(body.addresses.map((address: Address) => address.properties.ipAddress)).size).toBe(MACHINES)
  expect(cpuUsed).toBeLessThan(15_000)
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
