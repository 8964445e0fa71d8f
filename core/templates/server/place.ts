import type { TemplateId } from '@trainyard/platform/contract/words/ids.ts'
import { ask, emit, event, hook } from '@trainyard/platform/server/core/events.ts'
import { notFound } from '@trainyard/platform/server/core/errors.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'

interface Placed {
  readonly template: TemplateId
  /** Name of the private network of the machines; undefined if they have public addresses. */
  readonly privateNetwork: string | undefined
}

/** The form of a template says where its machines are. */
export const templatesPlaced = event<Placed>('templates.placed')

/** Name of the private network of a template's machines; null if they have public addresses. */
export const networkName = hook<TemplateId, string | null>(
  'templates.networkName',
  null,
  (first, second) => first ?? second,
)

export const networkNameOf = (db: Db, template: TemplateId): Promise<string | null> => ask(db, networkName, template)

/** @throws Problem notFound if no module knows the network */
export async function placeTemplate(tx: Tx, template: TemplateId, privateNetwork: string | undefined): Promise<void> {
  await emit(tx, templatesPlaced, [{ template, privateNetwork }])
  if (privateNetwork !== undefined && (await networkNameOf(tx, template)) === null) throw notFound('private network')
}
