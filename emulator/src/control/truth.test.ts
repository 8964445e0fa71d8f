import { expect, test } from 'vitest'
import { inSubscription } from '#test/far-end.ts'
import { openLab, putMachine } from '#test/lab.ts'
import { sharedFarEnd } from '#test/shared.ts'

const many = 500

/** Milliseconds that the processor has worked on this test and the emulator in it: a crowded machine adds none. */
const worked = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

const farEnd = await sharedFarEnd()
await openLab(farEnd)
const begun = worked()
await Promise.all(Array.from({ length: many }, (_, number) => putMachine(farEnd, `m-${number}`)))
const took = worked() - begun

test(`${many} machines stand within seconds, each with an address of its own`, async () => {
  process.stdout.write(`${many} machines, ${many * 5} calls: ${Math.round(took)} ms of work.\n`)
  const { body } = await farEnd.control('GET', '/_truth')
  expect(body.machines).toHaveLength(many)
  expect(body.disks).toHaveLength(many)
  expect(body.calls.VirtualMachines_CreateOrUpdate).toBe(many)
  type Address = { properties: { ipAddress: string } }
  expect(new Set(body.addresses.map((one: Address) => one.properties.ipAddress)).size).toBe(many)
  expect(took).toBeLessThan(15_000)
})

test('the power of all comes in pages of 200, each machine once', async () => {
  const names: string[] = []
  let pages = 0
  let path: string | undefined = `${inSubscription}/providers/Microsoft.Compute/virtualMachines?statusOnly=true`
  while (path !== undefined) {
    const { body } = await farEnd.arm('GET', path)
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
  expect(new Set(names).size).toBe(many)
})

test('a part that is none is refused with those there are', async () => {
  const reply = await farEnd.control('GET', '/_truth?part=secrets')
  expect(reply.status).toBe(400)
  expect(reply.body.error).toContain('machines')
})

test('the clock does not go back, and every reply carries it', async () => {
  const stepped = await farEnd.control('POST', '/_clock', { mode: 'stepped', set: '2099-01-01T00:00:00Z' })
  expect(stepped.body).toEqual({ mode: 'stepped', now: '2099-01-01T00:00:00.000Z' })
  expect((await farEnd.control('POST', '/_clock', { set: '2098-01-01T00:00:00Z' })).status).toBe(400)
  for (const path of ['/_truth?part=calls', '/mailbox', '/nowhere']) {
    const { headers } = await fetch(farEnd.url + path)
    expect(headers.get('date')).toBe('Thu, 01 Jan 2099 00:00:00 GMT')
  }
  const real = await farEnd.control('POST', '/_clock', { mode: 'real' })
  expect(new Date(real.body.now).getUTCFullYear()).toBe(2099)
})
