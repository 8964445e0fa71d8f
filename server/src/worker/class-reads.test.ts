import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { machinesOf, order, people } from './test-orders.ts'
import type { Caller } from './test-caller.ts'
import { startYard, until, type Yard } from './test-yard.ts'

/**
 * Azure takes 25 reads a second of a subscription; a class on its way is to leave room for the others. Everything goes
 * faster here than at Azure by this factor, the sweep too; `npm run storm` takes the time that Azure takes.
 */
const LONG = process.env.STORM === 'long'
const FACTOR = LONG ? 1 : 0.05
const MACHINES = 30
const READS_A_SECOND = 5
const WINDOW_SECONDS = 10

describe(`a class of ${MACHINES}`, () => {
  let yard: Yard
  let admin: Caller
  let root: Caller
  beforeAll(async () => {
    yard = await startYard({ latency: FACTOR })
    admin = await yard.as('admin', 'admin@acme.test', await yard.organisation('Acme Learning'))
    root = await yard.as('superadmin', 'root@demo.test', null)
    await yard.control('POST', '/_quotas', { cores: 1000 })
    await yard.worker({ concurrency: 24, sweepBusy: 2 * FACTOR, sweepIdle: 20 * FACTOR })
  })
  afterAll(() => yard.stop())

  /** Every call that changes nothing. */
  async function reads(): Promise<number> {
    const { body } = await yard.control('GET', '/_truth?part=calls')
    const calls = Object.entries(body.calls as Record<string, number>)
    const asked = calls.filter(([name]) => /_(Get|List\w*|InstanceView|Check\w*)$/.test(name))
    return asked.reduce((sum, [, count]) => sum + count, 0)
  }

  /** On the whole, and in the ten seconds that had most of them. */
  async function readsPerSecond(what: string, work: () => Promise<unknown>): Promise<{ whole: number; most: number }> {
    const before = await reads()
    const began = performance.now()
    let [most, last] = [0, before]
    const sampling = setInterval(
      () => {
        void reads().then((now) => {
          most = Math.max(most, (now - last) / WINDOW_SECONDS)
          last = now
        })
      },
      WINDOW_SECONDS * FACTOR * 1000,
    )
    await work().finally(() => clearInterval(sampling))
    const seconds = (performance.now() - began) / 1000 / FACTOR
    const count = (await reads()) - before
    const said = `${count} reads in ${seconds.toFixed(0)} s, at most ${most.toFixed(1)} a second`
    process.stdout.write(`a class of ${MACHINES} ${what}: ${said}\n`)
    return { whole: count / seconds, most }
  }

  const all = (holds: (machine: Awaited<ReturnType<typeof machinesOf>>[number]) => boolean) =>
    until(
      'the class is there',
      () => machinesOf(admin, 'Class'),
      (list) => list.length === MACHINES && list.every(holds),
      240_000,
    )
  const power = async (operation: 0 | 1) => {
    const places = (await machinesOf(admin, 'Class')).map(({ name, resourceGroup }) => ({ name, resourceGroup }))
    expect((await admin('PATCH', '/azure/machines', [{ operation }, ...places])).status).toBe(200)
  }

  const stopAndStart: [string, () => Promise<unknown>][] = [
    ['is stopped', async () => void (await power(0), await all(({ status }) => status === 'Stopped'))],
    ['is started', async () => void (await power(1), await all(({ status }) => status === 'Running'))],
  ]

  test.each<[string, () => Promise<unknown>]>([
    [
      'comes up',
      async () => {
        expect((await admin('POST', '/azure/machines', order('Class', people(MACHINES)))).status).toBe(200)
        await all(({ status, publicIp }) => status === 'Running' && publicIp !== null)
      },
    ],
    ...(LONG ? stopAndStart : []),
    [
      'is deleted',
      async () => {
        const gone = '/azure/killTraining?trainingName=Class&organization=Acme%20Learning'
        expect((await root('DELETE', gone)).status).toBe(200)
        await all(({ isAlive }) => !isAlive)
      },
    ],
  ])(
    `that %s takes fewer than ${READS_A_SECOND} reads a second`,
    async (what, work) => {
      const { whole, most } = await readsPerSecond(what, work)
      expect(whole).toBeLessThan(READS_A_SECOND)
      // An address is made for each at once: the first ten seconds have more than their share.
      expect(most).toBeLessThan(2 * READS_A_SECOND)
    },
    300_000,
  )
})
