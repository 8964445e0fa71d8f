import { type RawBuilder, sql } from 'kysely'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import { type Paise, rupeesOfPaise } from '@trainyard/platform/contract/words/money.ts'
import type { HandlersOf } from '@trainyard/platform/server/core/handler.ts'
import { notFound, conflict } from '@trainyard/platform/server/core/errors.ts'
import { sqlOf } from '@trainyard/platform/server/core/events.ts'
import { organisationInScope, organisationByName } from '@trainyard/organisations/server/scope.ts'
import { assignTemplate } from './assign.ts'
import { editTemplate } from './edit.ts'
import { columnsOf, formOf, type TemplateForm } from './form.ts'
import { lockTemplate, findTemplate } from './find.ts'
import { sizesIn } from './sizes.ts'
import { priceAt, priceChanges, SUPPLIER_TODAY } from './price-at.ts'
import { refuseUnusableImage } from './captured-image.ts'
import { networkNameOf, placeTemplate } from './place.ts'
import { TEMPLATE_COLUMNS, templateViewOf } from './view.ts'

const PRICED = { template: sql`template.name`, size: sql`template.size_name`, licence: sql`template.licence` }

/** SQL: an organisation's own price of a template on a day; null if there is none. */
const priceOn = (organisation: OrganisationId, day: RawBuilder<unknown>) =>
  sqlOf(priceAt, { organisation: sql`${organisation}`, ...PRICED, day })

/** SQL: the price of a template after the next change of the organisation's prices. */
const nextPrice = (organisation: OrganisationId) => sql<{ from: string; rate: Paise }>`(
  select to_char(change.day, 'YYYY-MM-DD') as "from",
    coalesce(${priceOn(organisation, sql`change.day`)}, template.rate_paise) as rate
  from (select min(day) as day from (
      ${sqlOf(priceChanges, { organisations: sql`${organisation}`, of: PRICED })}) as each
    where day > ${SUPPLIER_TODAY}) as change
  where change.day is not null)`

export const templateHandlers = ({
  templateForm,
}: {
  readonly templateForm: TemplateForm
}): HandlersOf<'template'> => ({
  async orderable(db, { actor, query }) {
    const organisation = await organisationInScope(db, actor, query.organization)
    const rows = await db
      .selectFrom('template')
      .innerJoin('template_assignment', 'template_assignment.template_id', 'template.id')
      .leftJoinLateral(nextPrice(organisation.id).as('next'), (join) => join.onTrue())
      .select(TEMPLATE_COLUMNS)
      .select([priceOn(organisation.id, SUPPLIER_TODAY).as('own_rate'), 'next.from', 'next.rate'])
      .where('template_assignment.organisation_id', '=', organisation.id)
      .orderBy(sql`lower(template.name)`)
      .execute()
    return {
      templates: rows.map((row) => {
        const rate_paise = row.own_rate ?? row.rate_paise
        const next = row.rate === null || row.rate === rate_paise ? null : { rate: row.rate, from: row.from! }
        return {
          ...templateViewOf({ ...row, rate_paise }),
          ...(next !== null && { nextRate: { rate: rupeesOfPaise(next.rate), from: next.from } }),
        }
      }),
    }
  },

  async list(db) {
    const rows = await db
      .selectFrom('template')
      .select(TEMPLATE_COLUMNS)
      .orderBy(sql`lower(name)`)
      .execute()
    return { templates: rows.map(templateViewOf) }
  },

  async create(tx, { body }) {
    await refuseUnusableImage(tx, { provider: templateForm.provider, image_id: body.imageId, ...body })
    const created = await tx
      .insertInto('template')
      .values(columnsOf(body, templateForm))
      .onConflict((on) => on.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (created === undefined) throw conflict(`There is already a template named ${body.name}.`)
    await placeTemplate(tx, created.id, body.privateNetwork)
    return { message: `Template ${body.name} created.` }
  },

  async read(db, { query }) {
    const row = await findTemplate(db, query.template)
    return formOf(row, await networkNameOf(db, row.id), templateForm)
  },

  async sizes(db, { query }) {
    return { sizes: await sizesIn(db, { provider: templateForm.provider, location: query.location }) }
  },

  async edit(tx, { body, auditChange }) {
    const { before, after } = await editTemplate(tx, body, templateForm)
    auditChange(before, after)
    return { message: `Template ${after.name} changed. New orders use it.` }
  },

  async remove(tx, { body, auditChange }) {
    const { id } = await lockTemplate(tx, body.template, 'change')
    const deleted = await tx.deleteFrom('template').where('id', '=', id).returning(TEMPLATE_COLUMNS).executeTakeFirst()
    if (deleted === undefined) throw notFound('template')
    auditChange({ ...templateViewOf(deleted) }, null)
    return { message: `Template ${deleted.name} deleted.` }
  },

  async assigned(db) {
    const assigned = await db
      .selectFrom('template_assignment')
      .innerJoin('organisation', 'organisation.id', 'template_assignment.organisation_id')
      .innerJoin('template', 'template.id', 'template_assignment.template_id')
      .select(['organisation.name as organization', 'template.name as template'])
      .orderBy(sql`lower(organisation.name), lower(template.name)`)
      .execute()
    return { assigned }
  },

  async assign(tx, { body }) {
    const { organisation, template } = await assignTemplate(tx, body)
    return { message: `Template ${template} assigned to ${organisation}.` }
  },

  async unassign(tx, { body }) {
    const organisation = await organisationByName(tx, body.organization)
    const template = await findTemplate(tx, body.template)
    const deleted = await tx
      .deleteFrom('template_assignment')
      .where('organisation_id', '=', organisation.id)
      .where('template_id', '=', template.id)
      .returning('template_id')
      .executeTakeFirst()
    if (deleted === undefined) throw notFound('assignment')
    return { message: `Template ${template.name} removed from ${organisation.name}.` }
  },
})
