import { sql } from 'kysely'
import type { AzureTags } from '@trainyard/platform/contract/words/azure-tags.ts'
import type { MachineId, ImageId } from '@trainyard/platform/contract/words/ids.ts'
import type { OperatingSystem } from '@trainyard/platform/contract/words/limits.ts'
import type { Place } from '@trainyard/templates/contract/provider.ts'
import type { Tx, Db } from '@trainyard/platform/server/db/schema.ts'

export interface UnfinishedImage {
  readonly id: ImageId
  readonly machine_id: MachineId
  readonly name: string
  readonly provider: string
  readonly place: Place
  readonly os: OperatingSystem
  readonly failed: string | null
  readonly overdue: boolean
  readonly tags: AzureTags
}

/** Hours after which an unfinished copy is abandoned, so that the copy does not block its machine permanently. */
export const HOURS = 6

export const markCapturing = (tx: Tx, machine: MachineId) =>
  sql`update machine set capturing = true where id = ${machine}`.execute(tx)

export const insertCaptureOperation = (tx: Tx, machine: MachineId) =>
  sql`
    insert into operation (machine_id, organisation_id, kind, size_name, location)
    select id, organisation_id, 'capture', size_name, location from machine where id = ${machine}`.execute(tx)

/** @param failed null if the image is ready */
export const closeCaptureOperation = (tx: Tx, machine: MachineId, failed: string | null) =>
  sql`
    update operation set closed_at = portal_now(), reason = ${failed},
      ended_at = case when ${failed}::text is null then greatest(portal_now(), asked_at) end
    where machine_id = ${machine} and closed_at is null and kind = 'capture'`.execute(tx)

export const selectUnfinishedImage = (db: Db, image: ImageId) =>
  sql<UnfinishedImage>`
    select i.id, i.machine_id, i.failed, m.name, m.provider, m.place, m.os, m.azure_tags || o.azure_tags as tags,
      i.created_at < portal_now() - make_interval(hours => ${HOURS}) as overdue
    from image i join machine m on m.id = i.machine_id join organisation o on o.id = m.organisation_id where i.id = ${image} and i.ready_at is null`.execute(
    db,
  )

export const updateProgress = (
  db: Db,
  lastError: string | null,
  capture: string | null,
  progress: number,
  id: ImageId,
) =>
  sql`
    update image set last_error = ${lastError}, image_id = coalesce(${capture}, image_id),
      progress = greatest(progress, ${progress})
    where id = ${id} and ready_at is null and failed is null`.execute(db)

export const unmarkCapturing = (tx: Tx, machine: MachineId) =>
  sql`update machine set capturing = false where id = ${machine} and terminated_at is not null`.execute(tx)
