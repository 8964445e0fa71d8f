import { type RawBuilder, sql } from 'kysely'
import { ALERTS } from '@trainyard/platform/contract/words/problems.ts'
import type { HandlersOf } from '@trainyard/platform/server/core/handler.ts'
import { conflict } from '@trainyard/platform/server/core/errors.ts'
import { setDesiredState } from '@trainyard/platform/server/run/reconcile/desired-state.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import { accessPassContext } from '../encryption-context.ts'
import { findLabUser } from '@trainyard/lab-users/server/lab-users.ts'

type AccessPassHandlers = Pick<HandlersOf<'sandboxUser'>, 'issueAccessPass' | 'showAccessPass'>

/** The worker requests the pass from Entra ID. The database stores it, encrypted, until it is shown or expires. */
export const accessPassHandlers = (seal: Seal): AccessPassHandlers => ({
  async issueAccessPass(tx, { body }) {
    const id = await findLabUser(tx, 'azure_user', body.email)
    const requested = await setDesiredState(tx, 'azure_user', {
      rows: [id],
      set: sql`access_pass_wanted_at = portal_now(), access_pass = null, access_pass_ends_at = null`,
      where: sql`t.desired = 'ready' and t.object_id is not null`,
    })
    if (requested.length === 0)
      throw conflict(`The account ${body.email} does not exist at Azure, or is being deleted.`)
    return { message: ALERTS.accessPassRequested }
  },

  async showAccessPass(tx, { body }) {
    const id = await findLabUser(tx, 'azure_user', body.email)
    const usable: RawBuilder<boolean> = sql`desired = 'ready' and access_pass_ends_at > portal_now()`
    const stored = await tx
      .selectFrom('azure_user')
      .select(['access_pass', 'access_pass_ends_at'])
      .where('id', '=', id)
      .where(usable)
      .forUpdate()
      .executeTakeFirst()
    if (!stored?.access_pass || stored.access_pass_ends_at === null) throw conflict(ALERTS.noAccessPass)
    await tx
      .updateTable('azure_user')
      .set({ access_pass: null, access_pass_ends_at: null })
      .where('id', '=', id)
      .execute()
    return {
      username: body.email,
      accessPass: seal.open(stored.access_pass, accessPassContext(id)),
      endDate: stored.access_pass_ends_at.toISOString(),
    }
  },
})
