import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import type { ImageId, MachineId } from '@trainyard/contract/words/ids.ts'
import type { MachineRow } from '../../../db/schema/machine.ts'
import { NotYet } from '../../../jobs/jobs.ts'
import type { Capture, Deletion, ImageSpec } from '../../../providers/cloud.ts'
import { CloudError } from '../../../providers/errors.ts'
import { sharedPortal } from '#test/shared.ts'
import type { Turns } from '#test/turn.ts'
import { type Place, toldCloud, turnsAtPlace } from '#test/told-machines.ts'
import { captureImage } from './jobs.ts'

const portal = await sharedPortal()
let turns: Turns
let place: Place
let machine: MachineId
let image: ImageId
let capture: () => Promise<Capture>
let discard: () => Promise<Deletion['remaining']>
let asked: (readonly [string, ImageSpec])[]

beforeEach(async () => {
  ;({ turns, place } = await turnsAtPlace(portal))
  machine = await place.add({ capturing: true, observed: 'stopped', desired: 'stopped', reconcile_at: null })
  image = randomUUID() as ImageId
  await sql`delete from image`.execute(portal.owner)
  await sql`
    insert into image (id, organisation_id, machine_id, asked_by, last_error)
    select ${image}, organisation_id, id, 'admin@place.test', 'Old.' from machine where id = ${machine}`.execute(
    portal.owner,
  )
  asked = []
})

const job = () =>
  captureImage({
    db: portal.app.db,
    cloud: {
      ...toldCloud(turns.after(0)),
      captureMachine(spec) {
        asked.push(['capture', spec])
        return capture()
      },
      async discardImage(spec) {
        asked.push(['discard', spec])
        return { at: turns.after(0), remaining: await discard() }
      },
    },
  })({ image }, AbortSignal.timeout(20_000))
const row = () => portal.owner.selectFrom('image').selectAll().where('id', '=', image).executeTakeFirstOrThrow()
const held = () => turns.row<MachineRow>('machine', machine)
const says = async (capturing: Capture) => void (capture = async () => capturing)
const failing = (error: Error) => async () => {
  throw error
}
const fails = (error: Error) => void (capture = failing(error))

describe('a copy under way', () => {
  test('keeps how far it is, and comes back to it', async () => {
    await says({ id: 'theirs', state: 'working', progress: 40 })
    await expect(job()).rejects.toThrow(new NotYet('It is being copied.'))
    expect(await row()).toMatchObject({
      progress: 40,
      image_id: 'theirs',
      last_error: null,
      ready_at: null,
      failed: null,
    })
    const { name } = await held()
    expect(asked).toEqual([
      ['capture', { id: image, name, resourceGroup: 'labs', location: 'southindia', os: 'Linux' }],
    ])
    expect(await held()).toMatchObject({ capturing: true, generation: 0, reconcile_at: null })
  })

  test('never goes back', async () => {
    await says({ id: 'theirs', state: 'working', progress: 40 })
    await expect(job()).rejects.toThrow(NotYet)
    await says({ id: 'theirs', state: 'working', progress: 30 })
    await expect(job()).rejects.toThrow(NotYet)
    fails(new CloudError('throttled', 'Later.'))
    await expect(job()).rejects.toThrow(new NotYet('Later.'))
    expect(await row()).toMatchObject({ progress: 40, image_id: 'theirs', last_error: 'Later.', failed: null })
  })

  test('that is ready lets its machine go, once', async () => {
    await says({ id: 'theirs', state: 'ready' })
    await job()
    expect(await row()).toMatchObject({ ready_at: turns.after(0), image_id: 'theirs', progress: 100, last_error: null })
    expect(await held()).toMatchObject({ capturing: false, generation: 1, pause: 0 })
    await job()
    expect(asked).toHaveLength(1)
    expect((await held()).generation).toBe(1)
  })

  test('of a machine that is terminated has nobody take that up', async () => {
    await sql`
      update machine set desired = 'gone', observed = 'absent', admin_password = null, terminated_at = portal_now()
      where id = ${machine}`.execute(portal.owner)
    await says({ id: 'theirs', state: 'ready' })
    await job()
    expect(await held()).toMatchObject({ capturing: false, reconcile_at: null })
  })

  test('of which another machine knows nothing leaves that alone', async () => {
    const other = await place.add({ capturing: true, reconcile_at: null })
    await says({ id: 'theirs', state: 'ready' })
    await job()
    expect(await turns.row<MachineRow>('machine', other)).toMatchObject({ capturing: true, generation: 0 })
  })
})

describe('a copy that comes to nothing', () => {
  /** The job's answer, and the row after it. */
  const failed = async () => {
    const answer = await job().catch((error: unknown) => error)
    const { failed: reason, last_error, ready_at } = await row()
    const { capturing, generation, pause } = await held()
    return { answer: String(answer), reason, last_error, ready_at, capturing, generation, pause }
  }
  const endedWith = (reason: string) => ({
    answer: `NotYet: ${reason}`,
    reason,
    last_error: null,
    ready_at: null,
    capturing: false,
    generation: 1,
    pause: 0,
  })

  test('fails with the reason that the cloud gives', async () => {
    await says({ id: 'theirs', state: 'failed', reason: 'No room.' })
    expect(await failed()).toEqual(endedWith('No room.'))
  })

  test('fails when the cloud refuses it', async () => {
    fails(new CloudError('refused', 'Not this one.'))
    expect(await failed()).toEqual(endedWith('Not this one.'))
  })

  test('fails after six hours, under way or without an answer, and not before', async () => {
    await says({ id: 'theirs', state: 'working', progress: 99 })
    await turns.wait(6 * 3_600)
    await expect(job()).rejects.toThrow('It is being copied.')
    await turns.wait(1)
    expect(await failed()).toEqual(endedWith('It was not ready within 6 hours.'))
  })

  test('fails after six hours with the last error', async () => {
    fails(new CloudError('unreachable', 'No answer.'))
    await turns.wait(6 * 3_600)
    await expect(job()).rejects.toThrow('No answer.')
    expect((await row()).failed).toBeNull()
    await turns.wait(1)
    expect(await failed()).toEqual(endedWith('No answer.'))
  })

  test('that is ready after six hours is ready', async () => {
    await says({ id: 'theirs', state: 'ready' })
    await turns.wait(7 * 3_600)
    await job()
    expect((await row()).failed).toBeNull()
  })

  test('by a bug of ours is told as one', async () => {
    fails(new TypeError('bug'))
    await expect(job()).rejects.toThrow(TypeError)
    expect(await row()).toMatchObject({ failed: null, last_error: 'Old.' })
  })

  test('has what is left of it deleted, step by step, until nothing is', async () => {
    await says({ id: 'theirs', state: 'failed', reason: 'No room.' })
    await expect(job()).rejects.toThrow(NotYet)
    asked = []
    discard = async () => 'something'
    await expect(job()).rejects.toThrow(new NotYet('What was left of it is being deleted.'))
    expect(asked.map(([call]) => call)).toEqual(['discard', 'discard', 'discard'])
    asked = []
    discard = async () => 'nothing'
    await job()
    expect(asked.map(([call]) => call)).toEqual(['discard'])
    discard = failing(new CloudError('throttled', 'Later.'))
    await expect(job()).rejects.toThrow(new NotYet('Later.'))
    discard = failing(new TypeError('bug'))
    await expect(job()).rejects.toThrow(TypeError)
    expect((await held()).generation).toBe(1)
  })
})

test('an image that is no more is nobody’s work', async () => {
  await sql`delete from image where id = ${image}`.execute(portal.owner)
  await job()
  expect(asked).toEqual([])
})
