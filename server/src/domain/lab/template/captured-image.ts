import { sql } from 'kysely'
import type { OrganisationId } from '@trainyard/contract/words/ids.ts'
import type { OperatingSystem } from '@trainyard/contract/words/limits.ts'
import type { Tx } from '../../../db/schema.ts'
import { conflict } from '../../../core/errors.ts'

interface CapturedImage {
  readonly organisation_id: OrganisationId
  readonly organisation: string
  readonly machine: string
  readonly os: OperatingSystem
  readonly location: string
  readonly ready: boolean
}

/** Returns the captured image; null if the portal did not capture the image. Azure ignores case in IDs. */
async function capturedImage(tx: Tx, imageId: string): Promise<CapturedImage | null> {
  const { rows } = await sql<CapturedImage>`
    select i.organisation_id, o.name as organisation, m.name as machine, m.os, m.location,
      i.ready_at is not null as ready
    from image i join machine m on m.id = i.machine_id join organisation o on o.id = i.organisation_id
    -- The ID of an image definition refers to its only version.
    where starts_with(lower(${imageId}) || '/', lower(regexp_replace(i.image_id, '/versions/[^/]*$', '')) || '/')`.execute(
    tx,
  )
  return rows[0] ?? null
}

/** @throws Problem conflict if no machine could be created from the image */
export async function refuseUnusableImage(
  tx: Tx,
  template: { readonly imageId: string; readonly os: OperatingSystem; readonly location: string },
): Promise<void> {
  const image = await capturedImage(tx, template.imageId)
  if (image === null) return
  if (!image.ready) throw conflict(`The image of ${image.machine} is not ready.`)
  if (image.os !== template.os) throw conflict(`The image of ${image.machine} is of a ${image.os} machine.`)
  if (image.location !== template.location) {
    throw conflict(`The image of ${image.machine} is in ${image.location}: machines can be created from it only there.`)
  }
}

/**
 * Returns the organisation that owns the image; null if the given organisation owns it. An image contains a machine's
 * disk, so no other organisation may order from it.
 */
export async function foreignOwner(
  tx: Tx,
  template: { readonly image_id: string },
  organisation: OrganisationId,
): Promise<string | null> {
  const image = await capturedImage(tx, template.image_id)
  return image === null || image.organisation_id === organisation ? null : image.organisation
}
