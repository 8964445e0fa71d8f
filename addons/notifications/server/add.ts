import type { RowOf } from '@trainyard/platform/server/core/events.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import type { noticed } from '@trainyard/users/server/notices.ts'
import { hasRecent, lockNotice, notifyReaders } from './queries.ts'

type Notice = RowOf<typeof noticed>

export async function addNotifications(tx: Tx, notices: readonly Notice[]): Promise<void> {
  for (const notice of notices) {
    if (!(await isNew(tx, notice))) continue
    const { organisation, training, kind, audience, about, text, link, routine = false } = notice
    await tx
      .insertInto('notification')
      .values({
        organisation_id: organisation,
        training_id: training,
        kind,
        audience,
        about_user: about,
        text,
        link,
        routine,
      })
      .execute()
    await notifyReaders(tx, channelOf(notice))
  }
}

const channelOf = ({ audience, organisation }: Notice) => (audience === 'superadmins' ? 'superadmins' : organisation)

/**
 * If another transaction has the lock, it adds the same notification, so this one adds none. Waiting for the lock could
 * deadlock, because both transactions have locked machines.
 */
async function isNew(tx: Tx, notice: Notice): Promise<boolean> {
  const { kind, training, about, quietMinutes, organisation, since, text } = notice
  if (since !== undefined) {
    const changed = await tx
      .updateTable('notification')
      .set({ text })
      .where('organisation_id', '=', organisation)
      .where('training_id', '=', training)
      .where('kind', '=', kind)
      .where('about_user', '=', about)
      .where('created_at', '>=', since)
      .executeTakeFirst()
    if (changed.numUpdatedRows > 0n) {
      await notifyReaders(tx, channelOf(notice))
      return false
    }
  }
  if (quietMinutes === undefined) return true
  const key = [kind, training, about].filter((part) => part !== null).join(' ')
  const { rows: locks } = await lockNotice(tx, key)
  if (!locks[0]!.locked) return false
  const { rows } = await hasRecent(tx, { organisation, training, kind, about, minutes: quietMinutes })
  return rows.length === 0
}
