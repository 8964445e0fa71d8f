import { sql } from 'kysely'
import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { ledger } from '@trainyard/contract/calls/ledger.ts'
import type { Db } from '../../../db/schema.ts'

/**
 * Returns the balances of all accounts from the entries dated until a day. Receivable and advances are divided by the
 * balance of each customer at the end of that day.
 */
export async function trialBalance(db: Db, on: string): Promise<ReplyOf<typeof ledger.trialBalance>> {
  const { rows } = await sql<{ account: string; paise: number }>`
    with part as (
      select p.organisation_id, p.account, sum(p.paise) as paise
      from posting p join ledger_entry e on e.id = p.entry_id where e.date <= ${on}::date
      group by p.organisation_id, p.account
      union all
      select null, p.account, sum(p.paise)
      from settlement_posting p join settlement_entry e on e.id = p.entry_id where e.date <= ${on}::date
      group by p.account
    ), customer as (
      select sum(paise) as owed from part where account in ('receivable', 'advances') group by organisation_id
    )
    select a.name as account, (case a.code
      when 'receivable' then (select coalesce(sum(greatest(owed, 0)), 0) from customer)
      when 'advances' then (select coalesce(sum(least(owed, 0)), 0) from customer)
      else (select coalesce(sum(paise), 0) from part where part.account = a.code) end)::bigint as paise
    from ledger_account a order by a.place`.execute(db)
  const accounts = rows.map(({ account, paise }) => ({
    account,
    debitPaise: Math.max(0, paise),
    creditPaise: Math.max(0, -paise),
  }))
  const sum = (side: 'debitPaise' | 'creditPaise') => accounts.reduce((total, each) => total + each[side], 0)
  return { on, accounts, debitPaise: sum('debitPaise'), creditPaise: sum('creditPaise') }
}
