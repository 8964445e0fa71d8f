import { sql } from 'kysely'
import type { OverdueNoticeId, PaymentRequestId } from '@trainyard/contract/words/ids.ts'
import type { Db } from '../../../db/schema.ts'

export const updateNoticeSent = (db: Db, delivered: readonly string[], id: OverdueNoticeId) =>
  sql`update overdue_notice set sent_to = ${delivered} where id = ${id} and sent_to is null`.execute(db)

export const updateRequestSent = (db: Db, delivered: readonly string[], id: PaymentRequestId) =>
  sql`update payment_request set sent_to = ${delivered} where id = ${id} and sent_to is null`.execute(db)
