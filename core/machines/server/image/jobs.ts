import { sql } from 'kysely'
import type { ImageId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { JobNotFinished, job, type Run } from '@trainyard/platform/server/run/jobs/job.ts'
import { type Capture, type Cloud, type Clouds, cloudOf, type ImageSpec } from '@trainyard/templates/server/cloud.ts'
import { CloudError } from '@trainyard/platform/server/providers/errors.ts'
import { setDesiredMachines } from '../desired-state.ts'
import { lockMachines } from '../record.ts'
import {
  closeCaptureOperation,
  selectUnfinishedImage,
  updateProgress,
  unmarkCapturing,
  type UnfinishedImage,
  HOURS,
} from './queries.ts'
import { machinesChanged } from '@trainyard/trainings/server/machine-changes.ts'

/** Capturing an image takes many short runs until the image is ready, or capturing fails after hours. */
export const machineCapture = job<{ readonly image: ImageId }>('machine.capture', {
  retryLimit: 20_000,
  retryDelay: 2,
  retryBackoff: false,
  heartbeatSeconds: 10,
})

/**
 * Continues the capture of an image. The row is the only state between steps. Each step reads the progress from the
 * provider.
 */
export function captureImage({ db, clouds }: { readonly db: Db; readonly clouds: Clouds }): Run<typeof machineCapture> {
  return async ({ image }, signal) => {
    const unfinishedImage = await findUnfinished(db, image)
    if (unfinishedImage === null) return
    const cloud = cloudOf(clouds, unfinishedImage.provider)
    if (unfinishedImage.failed === null) await continueCapture(db, cloud, unfinishedImage, signal)
    else await discard(cloud, unfinishedImage, signal)
  }
}

async function findUnfinished(db: Db, image: ImageId): Promise<UnfinishedImage | null> {
  const { rows } = await selectUnfinishedImage(db, image)
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

const specOf = ({ id, name, place, os, tags }: UnfinishedImage): ImageSpec => ({ id, name, place, os, tags })

async function recordProgress(
  db: Db,
  { id }: UnfinishedImage,
  progress: { readonly last_error: string | null; readonly capture?: Extract<Capture, { state: 'working' }> },
): Promise<void> {
  const { last_error, capture } = progress
  await updateProgress(db, last_error, capture?.id ?? null, capture?.progress ?? 0, id)
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
    await closeCaptureOperation(tx, machine_id, 'failed' in result ? result.failed : null)
    await setDesiredMachines(tx, {
      rows: [machine_id],
      set: sql`capturing = false`,
      where: sql`t.terminated_at is null`,
    })
    await unmarkCapturing(tx, machine_id)
    await machinesChanged(tx, [machine_id])
  })
}
