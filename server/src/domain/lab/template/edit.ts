import { sql } from 'kysely'
import type { BodyOf } from '@trainyard/contract/call.ts'
import type { template } from '@trainyard/contract/calls/template.ts'
import type { Tx } from '../../../db/schema.ts'
import type { TemplateRow } from '../../../db/schema/template.ts'
import { conflict } from '../../../core/errors.ts'
import { ownerElsewhere, refuseUnusableImage } from './captured-image.ts'
import { columnsOf } from './form.ts'
import { holdTemplate } from './named.ts'

/** The columns that a refusal was about: with others it may be made after all. */
const MADE_OF = ['image_id', 'vm_size', 'location', 'resource_group', 'vnet', 'plan_publisher', 'plan_product'] as const

/**
 * Changes a template for what is ordered from then on: machines have their own copy of what they were ordered with. An
 * order holds the template while it reads it, so it has the template as it was before or as it is after. Answers the row
 * as it was.
 * @throws Problem notFound, or conflict where it was changed meanwhile or nobody could order from it
 */
export async function editTemplate(
  tx: Tx,
  { revision, ...form }: BodyOf<typeof template.edit>,
): Promise<{ readonly before: TemplateRow; readonly after: TemplateRow }> {
  const before = await holdTemplate(tx, form.name, 'change')
  if (before.revision !== revision) {
    throw conflict(`${before.name} was changed meanwhile. Open it again to see how it is now.`)
  }
  const { name: _stays, ...columns } = columnsOf(form)
  await refuseUnusableImage(tx, form)
  await refuseImageOfOthers(tx, before, form.imageId)
  const isMadeOtherwise = MADE_OF.some((column) => columns[column] !== before[column])
  const after = await tx
    .updateTable('template')
    .set({ ...columns, revision: sql<number>`revision + 1`, ...(isMadeOtherwise && { refusal: null }) })
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return { before, after }
}

/** Refuses an image of an organisation's machine where others may order from the template. */
async function refuseImageOfOthers(tx: Tx, { id, name }: TemplateRow, image_id: string): Promise<void> {
  const assigned = await tx
    .selectFrom('template_assignment')
    .innerJoin('organisation', 'organisation.id', 'template_assignment.organisation_id')
    .select(['organisation.id', 'organisation.name'])
    .where('template_id', '=', id)
    .orderBy('organisation.name')
    .execute()
  for (const organisation of assigned) {
    const owner = await ownerElsewhere(tx, { image_id }, organisation.id)
    if (owner === null) continue
    throw conflict(`${name} is assigned to ${organisation.name}, and the image is of a machine of ${owner}.`)
  }
}
