import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { conflict } from '@trainyard/platform/server/core/errors.ts'
import { lockOrganisation, organisationByName } from '@trainyard/organisations/server/scope.ts'
import { foreignOwner } from './captured-image.ts'
import { lockTemplate } from './find.ts'

/**
 * Assigns a template to an organisation, which can then order from it.
 * @returns the stored names of the template and the organisation
 * @throws Problem conflict if the template is already assigned to the organisation, or uses an image of another
 * organisation
 */
export async function assignTemplate(
  tx: Tx,
  names: { readonly organization: string; readonly template: string },
): Promise<{ organisation: string; template: string }> {
  const organisation = await organisationByName(tx, names.organization)
  await lockOrganisation(tx, organisation.id, 'use')
  // The template is locked, so that its image does not change before the assignment is stored.
  const template = await lockTemplate(tx, names.template, 'use')
  const owner = await foreignOwner(tx, template, organisation.id)
  if (owner !== null) {
    throw conflict(`${template.name} uses an image of a machine of ${owner}, so it can be assigned only to ${owner}.`)
  }
  const created = await tx
    .insertInto('template_assignment')
    .values({ organisation_id: organisation.id, template_id: template.id })
    .onConflict((on) => on.doNothing())
    .returning('template_id')
    .executeTakeFirst()
  if (created === undefined) throw conflict(`${organisation.name} already has the template ${template.name}.`)
  return { organisation: organisation.name, template: template.name }
}
