import { CHANGE_REQUEST_DAYS, OPEN_REQUESTS_MAX, requestText } from '../contract/change-request-words.ts'
import { type Insertable, sql } from 'kysely'
import type { ChangeRequestId } from '@trainyard/platform/contract/words/ids.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { conflict, notFound } from '@trainyard/platform/server/core/errors.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import type { ChangeRequestTable } from '../tables.gen.ts'
import { emit } from '@trainyard/platform/server/core/events.ts'
import { noticed } from '@trainyard/users/server/notices.ts'
import { selectNoticeOf } from './queries.ts'

type NewChangeRequest = Omit<Insertable<ChangeRequestTable>, 'asked_by'>

/** @throws Problem conflict if a request for the same change is open, or if the user has too many open requests */
export async function addRequest(tx: Tx, { id, email }: Actor, values: NewChangeRequest): Promise<void> {
  // The lock makes the count exact for concurrent calls of the same user.
  await tx.selectFrom('portal_user').select('id').where('id', '=', id).forNoKeyUpdate().executeTakeFirstOrThrow()
  const open = await tx
    .selectFrom('change_request')
    .select('id')
    .where('asked_by', '=', id)
    .where('state', '=', 'open')
    .limit(OPEN_REQUESTS_MAX)
    .execute()
  if (open.length === OPEN_REQUESTS_MAX) {
    throw conflict(`You have ${OPEN_REQUESTS_MAX} open requests. Wait for a decision, or withdraw one of them.`)
  }
  const added = await tx
    .insertInto('change_request')
    .values({ ...values, asked_by: id })
    .onConflict((on) => on.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (added === undefined) throw conflict('This has already been requested and waits for a decision.')
  const { rows } = await selectNoticeOf(tx, added.id)
  const { organisation, training, kind, request, why } = rows[0]!
  const audience = kind === 'hours' ? 'class' : 'superadmins'
  await emit(tx, noticed, [
    {
      audience,
      organisation,
      training,
      about: id,
      kind: 'request.sent',
      text: `${email} requests ${requestText(request)}: ${why}`,
      link: '/requests',
    },
  ])
}

/** @throws Problem notFound, also for a request of another user; conflict if the request is not open */
export async function withdrawRequest(tx: Tx, { id: user, email }: Actor, id: string): Promise<void> {
  const request = await tx
    .selectFrom('change_request')
    .select('state')
    .where('id', '=', id as ChangeRequestId)
    .where('asked_by', '=', user)
    .forUpdate()
    .executeTakeFirst()
  if (request === undefined) throw notFound('request')
  if (request.state !== 'open') throw conflict('This request has already been decided or withdrawn.')
  await tx
    .updateTable('change_request')
    .set({ state: 'withdrawn', decided_by: email, decided_at: sql<Date>`portal_now()` })
    .where('id', '=', id as ChangeRequestId)
    .execute()
}

export async function deleteOldRequests(tx: Tx): Promise<void> {
  await tx
    .deleteFrom('change_request')
    .where('state', '<>', 'open')
    .where('decided_at', '<', sql<Date>`portal_now() - make_interval(days => ${CHANGE_REQUEST_DAYS})`)
    .execute()
}
