import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { BodyOf, ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { template } from '../contract/template.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import type { TemplateRow } from '../tables.gen.ts'
import { conflict } from '@trainyard/platform/server/core/errors.ts'
import { foreignOwner, refuseUnusableImage } from './captured-image.ts'
import { columnsOf, formOf, type TemplateForm } from './form.ts'
import { lockTemplate } from './find.ts'
import { networkNameOf, placeTemplate } from './place.ts'
import type { ImageRef } from './queries.ts'

type SavedForm = ReplyOf<typeof template.read>

/**
 * Edits a template. Existing machines keep their copies of the previous values.
 * @throws Problem notFound; conflict if the template was changed concurrently, or if no machine could be ordered from
 * the changed template
 */
export async function editTemplate(
  tx: Tx,
  { revision, ...form }: BodyOf<typeof template.edit>,
  templateForm: TemplateForm,
): Promise<{ readonly before: SavedForm; readonly after: SavedForm }> {
  const before = await lockTemplate(tx, form.name, 'change')
  if (before.revision !== revision) {
    throw conflict(`${before.name} was changed by another user. Open it again to see the changes.`)
  }
  const formBefore = formOf(before, await networkNameOf(tx, before.id), templateForm)
  const { name: _stays, ...columns } = columnsOf(form, templateForm)
  const image = { provider: before.provider, image_id: form.imageId }
  await refuseUnusableImage(tx, { ...form, ...image })
  await refuseImageOfOthers(tx, before, image)
  // A stored refusal no longer applies to other machines.
  const machineOf = (row: Pick<TemplateRow, 'place' | 'size' | 'image' | 'azure_tags'>) => [
    templateForm.fieldsOf(row),
    row.azure_tags,
  ]
  const changesMachines = !isDeepStrictEqual(machineOf(columns), machineOf(before))
  await tx
    .updateTable('template')
    .set({ ...columns, revision: sql<number>`revision + 1`, ...(changesMachines && { refusal: null }) })
    .where('id', '=', before.id)
    .execute()
  await placeTemplate(tx, before.id, form.privateNetwork)
  const after = await tx.selectFrom('template').selectAll().where('id', '=', before.id).executeTakeFirstOrThrow()
  return { before: formBefore, after: formOf(after, await networkNameOf(tx, after.id), templateForm) }
}

async function refuseImageOfOthers(tx: Tx, { id, name }: TemplateRow, image: ImageRef): Promise<void> {
  const assigned = await tx
    .selectFrom('template_assignment')
    .innerJoin('organisation', 'organisation.id', 'template_assignment.organisation_id')
    .select(['organisation.id', 'organisation.name'])
    .where('template_id', '=', id)
    .orderBy('organisation.name')
    .execute()
  for (const organisation of assigned) {
    const owner = await foreignOwner(tx, image, organisation.id)
    if (owner === null) continue
    throw conflict(`${name} is assigned to ${organisation.name}, but the image is of a machine of ${owner}.`)
  }
}
