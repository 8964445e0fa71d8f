import { sql } from 'kysely'
import { DEFAULT_TIME_ZONE } from '@trainyard/platform/contract/words/limits.ts'
import { ALERTS } from '@trainyard/platform/contract/words/problems.ts'
import type { HandlersOf } from '@trainyard/platform/server/core/handler.ts'
import { notFound, conflict } from '@trainyard/platform/server/core/errors.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import { ownLabUser } from '@trainyard/lab-users/server/lab-users.ts'
import { createSandbox } from './create-sandbox.ts'
import { sandboxCredits, sandboxView } from './view.ts'
import { endSandboxes } from './wake.ts'

export interface AzureSandboxDependencies {
  readonly seal: Seal
  readonly portalUrl: string
  /** Maximum number of sandboxes per lab user; null: unlimited. */
  readonly sandboxLimit: number | null
}

export const azureSandboxHandlers = ({
  seal,
  portalUrl,
  sandboxLimit,
}: AzureSandboxDependencies): HandlersOf<'azureSandbox'> => ({
  async read(db, { actor }) {
    const user = await ownLabUser(db, 'azure_user', actor)
    const sandboxes = await db
      .selectFrom('sandbox')
      .selectAll()
      .where('azure_user_id', '=', user.id)
      .where('ended_at', 'is', null)
      .orderBy('created_at', 'desc')
      .execute()
    return {
      email: user.email,
      userId: user.id,
      credits: sandboxCredits(user),
      limit: sandboxLimit,
      sandbox: sandboxes.map(sandboxView),
      timeZone: DEFAULT_TIME_ZONE,
      portalUrl,
    }
  },

  async create(tx, { actor, body }) {
    await createSandbox(tx, actor, body, sandboxLimit)
    return { message: ALERTS.sandboxRequested }
  },

  async remove(tx, { actor, body }) {
    const sandbox = await tx
      .selectFrom('sandbox')
      .innerJoin('azure_user', 'azure_user.id', 'sandbox.azure_user_id')
      .select(['sandbox.id', 'sandbox.group_name'])
      .where(sql`lower(sandbox.group_name)`, '=', body.resourceGroupName.toLowerCase())
      .where('sandbox.ended_at', 'is', null)
      .$if(actor.role !== 'superadmin', (q) => q.where('azure_user.account_id', '=', actor.id))
      .executeTakeFirst()
    if (sandbox === undefined) throw notFound('sandbox')
    await endSandboxes(tx, [sandbox.id])
    const own = actor.role !== 'superadmin'
    return { message: own ? ALERTS.sandboxDeleted : ALERTS.userSandboxDeleted(sandbox.group_name) }
  },

  async signIn(tx, { actor }) {
    const { id, email, object_id, first_password } = await ownLabUser(tx, 'azure_user', actor)
    if (object_id === null || first_password === null) {
      throw conflict('Your lab account is still being created. Please try again in a minute.')
    }
    return { username: email, password: seal.open(first_password, id), portalUrl }
  },
})
