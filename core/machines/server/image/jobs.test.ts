import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import type { ImageId, MachineId } from '@trainyard/platform/contract/words/ids.ts'
import type { MachineRow } from '../../tables.gen.ts'
import { JobNotFinished } from '@trainyard/platform/server/run/jobs/job.ts'
import type { Capture, Deletion, ImageSpec } from '@trainyard/templates/server/cloud.ts'
import { CloudError } from '@trainyard/platform/server/providers/errors.ts'
import { template } from '@trainyard/platform/test/orders.ts'
import { sharedPortal } from '@trainyard/platform/test/shared.ts'
import type { TestReconciler } from '@trainyard/platform/test/test-reconciler.ts'
import { type TestTraining, scriptedCloud, startReconcilerTest } from '@trainyard/platform/test/scripted-cloud.ts'
import { captureImage } from './jobs.ts'
import { insertCaptureOperation } from './queries.ts'

const portal = await sharedPortal()
let reconciler: TestReconciler
let testTraining: TestTraining
let machine: MachineId
let image: ImageId
let capture: () => Promise<Capture>
let discard: () => Promise<Deletion['remaining']>
let captures: (readonly [string, ImageSpec])[]

beforeEach(async () => {
  ;({ reconciler, testTraining } = await startReconcilerTest(portal))
  machine = await testTraining.add({ capturing: true, observed: 'stopped', desired: 'stopped', reconcile_at: null })
  image = randomUUID() as ImageId
  await sql`delete from image`.execute(portal.owner)
  await sql`
    insert into image (id, organisation_id, machine_id, asked_by, last_error)
    select ${image}, organisation_id, id, 'admin@place.test', 'Old.' from machine where id = ${machine}`.execute(
    portal.owner,
  )
  await portal.owner.transaction().execute((tx) => insertCaptureOperation(tx, machine))
  captures = []
})

const job = () =>
  captureImage({
    db: portal.app.db,
    clouds: {
      azure: {
        ...scriptedCloud(reconciler.timeAfter(0)),
        captureMachine(spec) {
          captures.push(['capture', spec])
          return capture()
        },
        async deleteImage(spec) {
          captures.push(['discard', spec])
          return { at: reconciler.timeAfter(0), remaining: await discard() }
        },
      },
    },
  })({ image }, AbortSignal.timeout(20_000))
const row = () => portal.owner.selectFrom('image').selectAll().where('id', '=', image).executeTakeFirstOrThrow()
const machineRow = () => reconciler.row<MachineRow>('machine', machine)
const operation = () =>
  portal.owner
    .selectFrom('operation')
    .select(['ended_at', 'closed_at', 'reason'])
    .where('machine_id', '=', machine)
    .where('kind', '=', 'capture')
    .executeTakeFirstOrThrow()
const returns = async (capturing: Capture) => void (capture = async () => capturing)
const failing = (error: Error) => async () => {
  throw error
}
const throwsError = (error: Error) => void (capture = failing(error))

describe('a copy in progress', () => {
  test('stores the progress and is retried', async () => {
    await returns({ id: 'theirs', state: 'working', progress: 40 })
    await expect(job()).rejects.toThrow(new JobNotFinished('The disk is being copied.'))
    expect(await row()).toMatchObject({
      progress: 40,
      image_id: 'theirs',
      last_error: null,
      ready_at: null,
      failed: null,
    })
    const { name } = await machineRow()
    expect(captures).toEqual([['capture', { id: image, name, place: template().place, os: 'Linux', tags: {} }]])
    expect(await machineRow()).toMatchObject({ capturing: true, generation: 0, reconcile_at: null })
    expect(await operation()).toMatchObject({ ended_at: null, closed_at: null })
  })

  test('never decreases the stored progress', async () => {
    await returns({ id: 'theirs', state: 'working', progress: 40 })
    await expect(job()).rejects.toThrow(JobNotFinished)
    await returns({ id: 'theirs', state: 'working', progress: 30 })
    await expect(job()).rejects.toThrow(JobNotFinished)
    throwsError(new CloudError('throttled', 'Later.'))
    await expect(job()).rejects.toThrow(new JobNotFinished('Later.'))
    expect(await row()).toMatchObject({ progress: 40, image_id: 'theirs', last_error: 'Later.', failed: null })
  })

  test('releases its machine once when it is ready', async () => {
    await returns({ id: 'theirs', state: 'ready' })
    await job()
    expect(await row()).toMatchObject({
      ready_at: reconciler.timeAfter(0),
      image_id: 'theirs',
      progress: 100,
      last_error: null,
    })
    expect(await machineRow()).toMatchObject({ capturing: false, generation: 1, pause: 0 })
    const now = reconciler.timeAfter(0)
    expect(await operation()).toMatchObject({ ended_at: now, closed_at: now, reason: null })
    await job()
    expect(captures).toHaveLength(1)
    expect((await machineRow()).generation).toBe(1)
  })

  test('does not schedule a terminated machine', async () => {
    await sql`
      update machine set desired = 'gone', observed = 'absent', admin_password = null, terminated_at = portal_now()
      where id = ${machine}`.execute(portal.owner)
    await returns({ id: 'theirs', state: 'ready' })
    await job()
    expect(await machineRow()).toMatchObject({ capturing: false, reconcile_at: null })
  })

  test('does not affect other machines', async () => {
    const other = await testTraining.add({ capturing: true, reconcile_at: null })
    await returns({ id: 'theirs', state: 'ready' })
    await job()
    expect(await reconciler.row<MachineRow>('machine', other)).toMatchObject({ capturing: true, generation: 0 })
  })
})

describe('a failed copy', () => {
  const failed = async () => {
    const answer = await job().catch((error: unknown) => error)
    const { failed: reason, last_error, ready_at } = await row()
    const { capturing, generation, pause } = await machineRow()
    const { ended_at, closed_at, reason: why } = await operation()
    return {
      answer: String(answer),
      reason,
      last_error,
      ready_at,
      capturing,
      generation,
      pause,
      operation: { ended_at, closed_at, reason: why },
    }
  }
  const endedWith = (reason: string) => ({
    answer: `JobNotFinished: ${reason}`,
    reason,
    last_error: null,
    ready_at: null,
    capturing: false,
    generation: 1,
    pause: 0,
    operation: { ended_at: null, closed_at: expect.any(Date), reason },
  })

  test("stores the provider's reason", async () => {
    await returns({ id: 'theirs', state: 'failed', reason: 'No room.' })
    expect(await failed()).toEqual(endedWith('No room.'))
  })

  test('is stored as failed if the provider refuses the copy', async () => {
    throwsError(new CloudError('refused', 'Not this one.'))
    expect(await failed()).toEqual(endedWith('Not this one.'))
  })

  test('is stored as failed after six hours in progress or without a reply, not earlier', async () => {
    await returns({ id: 'theirs', state: 'working', progress: 99 })
    await reconciler.wait(6 * 3_600)
    await expect(job()).rejects.toThrow('The disk is being copied.')
    await reconciler.wait(1)
    expect(await failed()).toEqual(endedWith('The image was not ready within 6 hours.'))
  })

  test('is stored as failed after six hours with the last error', async () => {
    throwsError(new CloudError('unreachable', 'No answer.'))
    await reconciler.wait(6 * 3_600)
    await expect(job()).rejects.toThrow('No answer.')
    expect((await row()).failed).toBeNull()
    await reconciler.wait(1)
    expect(await failed()).toEqual(endedWith('No answer.'))
  })

  test('is not stored as failed if the image is ready after six hours', async () => {
    await returns({ id: 'theirs', state: 'ready' })
    await reconciler.wait(7 * 3_600)
    await job()
    expect((await row()).failed).toBeNull()
  })

  test('that a bug caused throws the bug', async () => {
    throwsError(new TypeError('bug'))
    await expect(job()).rejects.toThrow(TypeError)
    expect(await row()).toMatchObject({ failed: null, last_error: 'Old.' })
  })

  test('deletes the remains of the image step by step until nothing remains', async () => {
    await returns({ id: 'theirs', state: 'failed', reason: 'No room.' })
    await expect(job()).rejects.toThrow(JobNotFinished)
    captures = []
    discard = async () => 'something'
    await expect(job()).rejects.toThrow(new JobNotFinished('The remains of the image are being deleted.'))
    expect(captures.map(([call]) => call)).toEqual(['discard', 'discard', 'discard'])
    captures = []
    discard = async () => 'nothing'
    await job()
    expect(captures.map(([call]) => call)).toEqual(['discard'])
    discard = failing(new CloudError('throttled', 'Later.'))
    await expect(job()).rejects.toThrow(new JobNotFinished('Later.'))
    discard = failing(new TypeError('bug'))
    await expect(job()).rejects.toThrow(TypeError)
    expect((await machineRow()).generation).toBe(1)
  })
})

test('ignores a deleted image', async () => {
  await sql`delete from image where id = ${image}`.execute(portal.owner)
  await job()
  expect(captures).toEqual([])
})
