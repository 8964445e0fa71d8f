import { afterAll, expect, test } from 'vitest'
import { standIn } from '../test/stand-in.ts'
import { lxdClient } from './client.ts'
import { TAGS } from './instances.ts'
import { lxdMetrics } from './usage.ts'

const daemon = await standIn()
afterAll(() => daemon.close())
const signal = AbortSignal.timeout(60_000)
const ID = '01900000-0000-7000-8000-000000000001'
const START = Date.UTC(2026, 10, 30, 9)
const SECOND = 1_000_000_000

let now = START + 30_000
const metrics = lxdMetrics(lxdClient({ kind: 'socket', path: daemon.path }, 'default'), () => now)
const machine = { id: ID, place: { group: 'default', location: 'lxd' }, name: 'python-a' }
const read = async (from: number) =>
  (await metrics.processorUsage([machine], 'lxd', { from: new Date(from), to: new Date(now) }, signal)).get(ID)

test('measures the processor between two reads, and no minute before the first one', async () => {
  const config = { [TAGS.machine]: ID, 'limits.cpu': '2' }
  const instance = { name: 'python-a', profiles: [], devices: {}, created_at: '', last_used_at: '' }
  daemon.instances.set('python-a', { ...instance, config, status: 'Running', processor: 5 * SECOND })
  expect(await read(START - 60_000)).toBeUndefined()
  now += 20_000
  expect(await read(START - 60_000)).toBeUndefined()
  now += 40_000
  daemon.instances.get('python-a')!.processor = 17 * SECOND
  expect(await read(START - 60_000)).toEqual([
    { at: new Date(START - 60_000), percent: null },
    { at: new Date(START), percent: 10 },
  ])
  now += 60_000
  expect(await read(START + 60_000)).toEqual([{ at: new Date(START + 60_000), percent: 0 }])
  // A restart resets the counter.
  daemon.instances.get('python-a')!.processor = SECOND
  now += 60_000
  expect(await read(START + 120_000)).toBeUndefined()
})
