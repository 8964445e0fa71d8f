import { sql } from 'kysely'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { CapturedImage } from '../contract/image.ts'
import { template, machinesOf, order, people } from '@trainyard/platform/test/orders.ts'
import { untilIdle } from '@trainyard/platform/test/idle.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'

/**
 * Azure allows 25 reads per second per subscription, so a class that starts or stops must leave capacity for other
 * calls. The emulator uses Azure's latencies. The phase with many requests runs in real time. The minutes during which
 * Azure works are skipped. The long form, `npm run storm`, also covers later phases of a class, and a class created
 * from an image.
 */
const LONG = process.env.STORM === 'long'
const MACHINES = 30
const READS_A_SECOND = 5
const WINDOW_SECONDS = 10
const SWEEP_SECONDS = 2
const STEP_SECONDS = LONG ? 2.5 : 10
const SAMPLE_MS = LONG ? 100 : 250

const env = await sharedEnvironment({ latency: 1 })
const admin = await env.signIn('admin', 'admin@acme.test', await env.organisation('Acme Learning'))
const root = await env.signIn('superadmin', 'root@demo.test', null)
await env.control('POST', '/_quotas', { cores: 1000 })
await env.worker({ concurrency: 24, leaseSeconds: 60, sweepBusy: SWEEP_SECONDS, sweepIdle: 20 })

describe(`a class of ${MACHINES} machines`, () => {
  async function reads(): Promise<Record<string, number>> {
    const { body } = await env.control('GET', '/_truth?part=calls')
    const calls = Object.entries(body.calls as Record<string, number>)
    return Object.fromEntries(calls.filter(([name]) => /_(Get|List\w*|InstanceView|Check\w*)$/.test(name)))
  }
  const SWEEP = 'VirtualMachines_ListAll'
  const withoutSweeps = (counts: Record<string, number>) =>
    Object.entries(counts).reduce((sum, [name, count]) => (name === SWEEP ? sum : sum + count), 0)

  /** Returns the reads per second during the ten seconds with the most reads. */
  async function maxReads(description: string, callback: () => Promise<unknown>): Promise<number> {
    const samples: { readonly at: number; readonly count: number }[] = []
    const sample = async () => {
      const at = env.now().getTime()
      samples.push({ at, count: withoutSweeps(await reads()) })
    }
    const done = new AbortController()
    const sampling = (async () => {
      while (!done.signal.aborted) {
        await sample()
        await pause(SAMPLE_MS, undefined, { signal: done.signal }).catch(() => {})
      }
      await sample()
    })()
    await callback().finally(() => done.abort())
    await sampling
    // A window ends at the first sample after ten seconds, so it may be too long but never too short.
    const windows = samples.map(({ at, count }) => {
      const last = samples.find((each) => each.at > at + WINDOW_SECONDS * 1000) ?? samples.at(-1)!
      return last.count - count
    })
    // Skipped time contains fewer sweeps than real time. Add the sweeps that Azure would receive.
    const sweeps = WINDOW_SECONDS / SWEEP_SECONDS + 1
    const most = (Math.max(...windows) + sweeps) / WINDOW_SECONDS
    const seconds = (samples.at(-1)!.at - samples[0]!.at) / 1000
    const totalReads = samples.at(-1)!.count - samples[0]!.count
    const summary = `${seconds.toFixed(0)} s, ${totalReads} reads besides the sweeps, at most ${most.toFixed(1)} per second`
    process.stdout.write(`a class of ${MACHINES} ${description}: ${summary}\n`)
    return most
  }

  type Seen = Awaited<ReturnType<typeof machinesOf>>[number]
  /**
   * Waits until all machines match. Phases with requests run in real time. Time during which only Azure works is
   * skipped.
   */
  async function waitFor(training: string, condition: (machine: Seen) => boolean) {
    for (;;) {
      await untilIdle(env.db)
      const machines = await machinesOf(admin, training)
      if (machines.length > 0 && machines.every(condition)) return
      await env.step(STEP_SECONDS)
      // In the short form, notify the worker instead of waiting for its next poll.
      if (!LONG) await sql`select pg_notify('machine_due', ''), pg_notify('task_due', '')`.execute(env.db)
    }
  }
  const startClass = async (training: string, overrides: object = {}) => {
    expect((await admin('POST', '/azure/machines', order(training, people(MACHINES), overrides))).status).toBe(200)
    await waitFor(training, ({ status, publicIp }) => status === 'Running' && publicIp !== null)
  }
  const power = async (operation: 0 | 1, count = MACHINES) => {
    const machines = (await machinesOf(admin, 'Class')).slice(0, count)
    const machineRefs = machines.map(({ name, resourceGroup }) => ({ name, resourceGroup }))
    expect((await admin('PATCH', '/azure/machines', [{ operation }, ...machineRefs])).status).toBe(200)
    const names = new Set(machines.map(({ name }) => name))
    const expected = operation === 0 ? 'Stopped' : 'Running'
    await waitFor('Class', ({ name, status }) => !names.has(name) || status === expected)
  }
  const isDeleted = async () => {
    const killTrainingPath = '/azure/killTraining?trainingName=Class&organization=Acme%20Learning'
    expect((await root('DELETE', killTrainingPath)).status).toBe(200)
    await waitFor('Class', ({ isAlive }) => !isAlive)
  }

  async function makeTemplate(name: string): Promise<void> {
    await power(0, 1)
    const [source] = await machinesOf(admin, 'Class')
    expect((await admin('POST', '/admin/capture', { vm: source!.name })).status).toBe(200)
    const image = await until(
      'the image is ready',
      async () => {
        await env.step(STEP_SECONDS)
        return ((await root('GET', '/admin/images')).body.images as CapturedImage[])[0]!
      },
      ({ status }) => status === 'Ready',
      300_000,
    )
    const { place, size, os, licence } = template()
    const at = { resourceGroup: place.group, location: place.location, vnet: place.network, vmSize: size.name }
    const like = { ...at, os, licence, cpu: '1', memory: '1', storage: '1', disk: '1' }
    const created = { name, imageId: image.imageId, rate: 10, isOfficial: false, ...like }
    expect((await root('POST', '/admin/template', created)).status).toBe(200)
    const assigned = await root('POST', '/admin/assignTemplate', { organization: 'Acme Learning', template: name })
    expect(assigned.status).toBe(200)
  }

  const phases: [string, () => Promise<unknown>, (() => Promise<unknown>)?][] = [
    ['is stopped', () => power(0)],
    ['is started', () => power(1)],
    ['starts from an image', () => startClass('Copies', { templateName: 'Copy' }), () => makeTemplate('Copy')],
    ['is deleted', isDeleted],
  ]
  test.each([['starts', () => startClass('Class')] as const, ...(LONG ? phases : [])])(
    `takes fewer than ${READS_A_SECOND} reads per second over any ten seconds when it %s`,
    async (what, work, before) => {
      await before?.()
      expect(await maxReads(what, work)).toBeLessThan(READS_A_SECOND)
    },
    600_000,
  )
})
