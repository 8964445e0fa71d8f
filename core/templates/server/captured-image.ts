import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { OperatingSystem } from '@trainyard/platform/contract/words/limits.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { conflict } from '@trainyard/platform/server/core/errors.ts'
import { type CapturedImage, type ImageRef, selectCapturedImage } from './queries.ts'

/** Returns the captured image; null if the portal did not capture the image. */
async function capturedImage(tx: Tx, image: ImageRef): Promise<CapturedImage | null> {
  const { rows } = await selectCapturedImage(tx, image)
  return rows[0] ?? null
}

/** @throws Problem conflict if no machine could be created from the image */
export async function refuseUnusableImage(
  tx: Tx,
  template: ImageRef & { readonly os: OperatingSystem; readonly location: string },
): Promise<void> {
  const image = await capturedImage(tx, template)
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
export async function foreignOwner(tx: Tx, template: ImageRef, organisation: OrganisationId): Promise<string | null> {
  const image = await capturedImage(tx, template)
  return image === null || image.organisation_id === organisation ? null : image.organisation
}
