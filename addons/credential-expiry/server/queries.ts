import { sql } from 'kysely'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { expiringCredentials } from '../contract/expiring.ts'
import { EXPIRY_WARNINGS } from '@trainyard/lab-users/contract/expiry.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'

export const selectExpiringCredentials = (db: Db) =>
  sql<ReplyOf<typeof expiringCredentials.expiring>['credentials'][number]>`
    select name, to_char(ends_at at time zone 'UTC', 'YYYY-MM-DD') as "endsOn",
      floor(extract(epoch from ends_at - portal_now()) / 86400)::int as days
    from expiring_credential where ends_at < portal_now() + ${EXPIRY_WARNINGS[0]} * interval '1 day'
    order by ends_at, name limit 20`.execute(db)
