import { sql } from 'kysely'
import type { ImageId, MachineId } from '@trainyard/contract/words/ids.ts'
import type { AzureTags } from '@trainyard/contract/words/azure-tags.ts'
import type { OperatingSystem } from '@trainyard/contract/words/limits.ts'
import type { Db } from '../../../db/schema.ts'
import { type JobHandlers, JobNotFinished } from '../../../jobs/jobs.ts'
import type { Capture, Cloud, ImageSpec } from '../../../providers/cloud.ts'
import { CloudError } from '../../../providers/errors.ts'
import { setDesiredState } from '../../../reconcile/desired-state.ts'
import { lockMachines } from '../machine/record.ts'

/** Hours after which an unfinished copy is abandoned, so that the copy does not block its machine permanently. */
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
  readonly tags: AzureTags
}

/**
 * Continues the capture of an image. The row is the only state between steps. Each step reads the progress from the
 * provider.
 */
export function captureImage({
  db,
  cloud,
}: {
  readonly db: Db
  readonly cloud: Cloud
}): JobHandlers['machine.capture'] {
  return async ({ image }, signal) => {
    const unfinishedImage = await findUnfinished(db, image)
    if (unfinishedImage === null) return
    if (unfinishedImage.failed === null) await continueCapture(db, cloud, unfinishedImage, signal)
    else await discard(cloud, unfinishedImage, signal)
  }
}

async function findUnfinished(db: Db, image: ImageId): Promise<UnfinishedImage | null> {
  const { rows } = await sql<UnfinishedImage>`
    select i.id, i.machine_id, i.failed, m.name, m.resource_group, m.location, m.os, m.azure_tags || o.azure_tags as tags,
      i.created_at < portal_now() - make_interval(hours => ${HOURS}) as overdue
    from image i join machine m on m.id = i.machine_id join organisation o on o.id = m.organisation_id where i.id = ${image} and i.ready_at is null`.execute(
    db,
  )
  return rows[0] ?? null
}

async function continueCapture(db: Db, cloud: Cloud, image: UnfinishedImage, signal: AbortSignal): Promise<void> {
  const capture = await cloud.captureMachine(specOf(image), signal).catch((problem: unknown) => {
    if (problem instanceof CloudError) return problem
    throw problem
  })
  if (capture instanceof CloudError) {
    const final = capture.kind === 'refused' || image.overdue
    if (final) await finish(db, image, { failed: capture.message })
    else await recordProgress(db, image, { last_error: capture.message })
    throw new JobNotFinished(capture.message)
  }
  if (capture.state === 'ready') return finish(db, image, { ready: capture.id })
  if (capture.state === 'working' && !image.overdue) {
    await recordProgress(db, image, { last_error: null, capture })
    throw new JobNotFinished('The disk is being copied.')
  }
  const failed = capture.state === 'failed' ? capture.reason : TOO_LONG
  await finish(db, image, { failed })
  throw new JobNotFinished(failed)
}

const TOO_LONG = `The image was not ready within ${HOURS} hours.`

/**
 * Maximum number of deletion calls: one deletes the version, one deletes the definition, and the last one finds
 * neither.
 */
const MAX_DELETIONS = 3

async function discard(cloud: Cloud, image: UnfinishedImage, signal: AbortSignal): Promise<void> {
  for (let step = 0; step < MAX_DELETIONS; step++) {
    const { remaining } = await cloud.deleteImage(specOf(image), signal).catch((problem: unknown) => {
      if (problem instanceof CloudError) throw new JobNotFinished(problem.message)
      throw problem
    })
    if (remaining === 'nothing') return
  }
  throw new JobNotFinished('The remains of the image are being deleted.')
}

const specOf = ({ id, name, resource_group, location, os, tags }: UnfinishedImage): ImageSpec => ({
  id,
  name,
  resourceGroup: resource_group,
  location,
  os,
  tags,
})

async function recordProgress(
  db: Db,
  { id }: UnfinishedImage,
  progress: { readonly last_error: string | null; readonly capture?: Extract<Capture, { state: 'working' }> },
): Promise<void> {
  const { last_error, capture } = progress
  await sql`
    update image set last_error = ${last_error}, image_id = coalesce(${capture?.id ?? null}, image_id),
      progress = greatest(progress, ${capture?.progress ?? 0})
    where id = ${id} and ready_at is null and failed is null`.execute(db)
}

async function finish(
  db: Db,
  { id, machine_id }: UnfinishedImage,
  result: { readonly ready: string } | { readonly failed: string },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockMachines(tx, [machine_id])
    const { numAffectedRows } = await (
      'ready' in result
        ? sql`update image set ready_at = portal_now(), image_id = ${result.ready}, progress = 100, last_error = null
          where id = ${id} and ready_at is null and failed is null`
        : sql`update image set failed = ${result.failed}, last_error = null
          where id = ${id} and ready_at is null and failed is null`
    ).execute(tx)
    if (numAffectedRows !== 1n) return
    await setDesiredState(tx, 'machine', {
      rows: [machine_id],
      set: sql`capturing = false`,
      where: sql`t.terminated_at is null`,
    })
    await sql`update machine set capturing = false where id = ${machine_id} and terminated_at is not null`.execute(tx)
  })
}
