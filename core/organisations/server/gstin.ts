import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { Problem } from '@trainyard/platform/server/core/errors.ts'
import { ask, hook } from '@trainyard/platform/server/core/events.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'

/** Asks for the GST number that is in force. Null: no module keeps numbers by day. */
export const gstinInForce = hook<OrganisationId, { readonly gstin: string | null } | null>(
  'organisations.gstin',
  null,
  (first, second) => first ?? second,
)

interface GstinChange {
  readonly actor: Actor
  readonly organisation: OrganisationId
  readonly gstin: string | null
}

/** Asks for a change of the GST number. False: no module keeps numbers by day. Answers throw a Problem. */
export const gstinChange = hook<GstinChange, boolean, Tx>(
  'organisations.changeGstin',
  false,
  (first, second) => first || second,
)

/** Returns the GST number of an organisation, or null. */
export async function gstinOf(db: Db, organisation: OrganisationId): Promise<string | null> {
  const inForce = await ask(db, gstinInForce, organisation)
  if (inForce !== null) return inForce.gstin
  const { gst } = await db
    .selectFrom('organisation')
    .select('gst')
    .where('id', '=', organisation)
    .executeTakeFirstOrThrow()
  return gst
}

/** @throws Problem forbidden if an admin changes the number */
export async function changeGstin(tx: Tx, change: GstinChange): Promise<void> {
  if (await ask(tx, gstinChange, change)) return
  const { actor, organisation, gstin } = change
  if (gstin === (await gstinOf(tx, organisation))) return
  if (actor.role !== 'superadmin') throw new Problem('forbidden', 'Only superadmins can change the GST number.')
  await tx.updateTable('organisation').set({ gst: gstin }).where('id', '=', organisation).execute()
}
