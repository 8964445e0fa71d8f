import { sql } from 'kysely'
import type { Db } from '../db/schema.ts'
import { deleteExpiredChallenges } from '../domain/people/second-factor/challenge.ts'
import { deleteExpiredSignIns } from '../domain/people/identity-provider/attempt.ts'
import { deleteOldNotifications } from '../domain/notification/list.ts'
import { deleteOldRequests } from '../domain/lab/change-request/ask.ts'
import { deleteExpiredLaunches } from '../domain/lab/lms/launch.ts'
import { deleteOldOpenings } from '../domain/lab/operation/openings.ts'
import { deleteOldEmails } from '../domain/lab/registration/registered-user.ts'
import { cleanTransfers } from '../domain/lab/remote/transfer.ts'
import { deleteWithdrawnDocuments } from '../domain/money/tax-status/requests.ts'
import { deleteExpiredSessions } from '../domain/people/user/sessions.ts'
import { cleanWebhooks } from '../domain/webhook/retention.ts'
import { deleteOldReplies } from '../http/stored-reply.ts'

export async function cleanUp(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await deleteExpiredSessions(tx)
    await deleteExpiredChallenges(tx)
    await deleteExpiredSignIns(tx)
    await deleteExpiredLaunches(tx)
    await deleteOldReplies(tx)
    await deleteOldOpenings(tx)
    await deleteOldRequests(tx)
    await deleteOldNotifications(tx)
    await cleanTransfers(tx)
    await deleteWithdrawnDocuments(tx)
    await cleanWebhooks(tx)
    await deleteOldEmails(tx)
    await tx
      .deleteFrom('call_bucket')
      .where('counted_at', '<', sql<Date>`portal_now() - interval '1 day'`)
      .where('closed_until', '<', sql<Date>`portal_now()`)
      .execute()
    await tx
      .deleteFrom('worker_pulse')
      .where('seen_at', '<', sql<Date>`portal_now() - interval '1 day'`)
      .execute()
  })
}
