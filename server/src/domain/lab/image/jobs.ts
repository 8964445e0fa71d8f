import { sql } from 'kysely'
import type { ImageId, MachineId } from '@trainyard/contract/words/ids.ts'
import type { OperatingSystem } from '@trainyard/contract/words/limits.ts'
import { notifyWorkers } from '../../../db/listen.ts'
import type { Db } from '../../../db/schema.ts'
import { type JobHandlers, NotYet } from '../../../jobs/jobs.ts'
import type { Capture, Cloud, ImageSpec } from '../../../providers/cloud.ts'
import { CloudError } from '../../../providers/errors.ts'
import { lockMachines } from '../machine/record.ts'
import { MACHINE_DUE } from '../machine/wake.ts'

/** A copy that is not ready after this long is given up, so that its machine is not held for ever. */
const HOURS = 6

interface UnfinishedImage {
  readonly id: ImageId
  readonly machine_id: MachineId
  readonly name: string
  readonly resource_group: string
  readonly location: string
  readonly os: OperatingSystem
  readonly failed: string | null
  readonly overdue: boolean
}

/**
 * One step further with an image, until it is ready or what is left of it is gone. Nothing is remembered between two
 * steps but the row: whoever comes next finds at the provider what the last one did.
 */
export function captureImage({
  db,
  cloud,
}: {
  readonly db: Db
  readonly cloud: Cloud
}): JobHandlers['machine.capture'] {
  return async ({ image }, signal) => {
    const unfinishedImage = await unfinished(db, image)
    if (unfinishedImage === null) return
    if (unfinishedImage.failed === null) await goOn(db, cloud, unfinishedImage, signal)
    else await discard(cloud, unfinishedImage, signal)
  }
}

async function unfinished(db: Db, image: ImageId): Promise<UnfinishedImage | null> {
  const { rows } = await sql<UnfinishedImage>`
    select i.id, i.machine_id, i.failed, m.name, m.resource_group, m.location, m.os,
      i.created_at < portal_now() - make_interval(hours => ${HOURS}) as overdue
    from image i join machine m on m.id = i.machine_id where i.id = ${image} and i.ready_at is null`.execute(db)
  return rows[0] ?? null
}

async function goOn(db: Db, cloud: Cloud, image: UnfinishedImage, signal: AbortSignal): Promise<void> {
  const capture = await cloud.captureMachine(specOf(image), signal).catch((problem: unknown) => {
    if (problem instanceof CloudError) return problem
    throw problem
  })
  if (capture instanceof CloudError) {
    const final = capture.kind === 'refused' || image.overdue
    if (final) await end(db, image, { failed: capture.message })
    else await note(db, image, { last_error: capture.message })
    throw new NotYet(capture.message)
  }
  if (capture.state === 'ready') return end(db, image, { ready: capture.id })
  if (capture.state === 'working' && !image.overdue) {
    await note(db, image, { last_error: null, capture })
    throw new NotYet('It is being copied.')
  }
  const failed = capture.state === 'failed' ? capture.reason : TOO_LONG
  await end(db, image, { failed })
  throw new NotYet(failed)
}

const TOO_LONG = `It was not ready within ${HOURS} hours.`

/** A version, its definition, and the look that finds neither. */
const PARTS = 3

/** Deletes at the provider all parts of an image that was never finished, so that nothing goes on being billed. */
async function discard(cloud: Cloud, image: UnfinishedImage, signal: AbortSignal): Promise<void> {
  for (let step = 0; step < PARTS; step++) {
    const { remaining } = await cloud.discardImage(specOf(image), signal).catch((problem: unknown) => {
      if (problem instanceof CloudError) throw new NotYet(problem.message)
      throw problem
    })
    if (remaining === 'nothing') return
  }
  throw new NotYet('What was left of it is being deleted.')
}

const specOf = ({ id, name, resource_group, location, os }: UnfinishedImage): ImageSpec => ({
  id,
  name,
  resourceGroup: resource_group,
  location,
  os,
})

async function note(
  db: Db,
  { id }: UnfinishedImage,
  said: { readonly last_error: string | null; readonly capture?: Extract<Capture, { state: 'working' }> },
): Promise<void> {
  const { last_error, capture } = said
  await sql`
    update image set last_error = ${last_error}, image_id = coalesce(${capture?.id ?? null}, image_id),
      progress = greatest(progress, ${capture?.progress ?? 0})
    where id = ${id} and ready_at is null and failed is null`.execute(db)
}

/** Writes down how it ended, once, and lets its machine go. */
async function end(
  db: Db,
  { id, machine_id }: UnfinishedImage,
  how: { readonly ready: string } | { readonly failed: string },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockMachines(tx, [machine_id])
    const { numAffectedRows } = await (
      'ready' in how
        ? sql`update image set ready_at = portal_now(), image_id = ${how.ready}, progress = 100, last_error = null
          where id = ${id} and ready_at is null and failed is null`
        : sql`update image set failed = ${how.failed}, last_error = null
          where id = ${id} and ready_at is null and failed is null`
    ).execute(tx)
    if (numAffectedRows !== 1n) return
    await sql`
      update machine set capturing = false, generation = generation + 1,
        reconcile_at = case when terminated_at is null then portal_now() end
      where id = ${machine_id}`.execute(tx)
    await notifyWorkers(tx, MACHINE_DUE)
  })
}
