import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { ledger } from '../contract/ledger.ts'
import { balanceChange } from '../contract/entry.ts'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import { ACCOUNT_PAGE } from '@trainyard/platform/contract/words/limits.ts'
import { type Paise, rupeesOfPaise } from '@trainyard/platform/contract/words/money.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import type { OrganisationInScope } from '@trainyard/organisations/server/scope.ts'
import { gstinOf } from '@trainyard/organisations/server/gstin.ts'
import { balanceOf } from './balance.ts'
import { selectEntriesBefore, selectChangeSince, type Entry } from './queries.ts'

type Account = ReplyOf<typeof ledger.account>

export function accountOf(db: Db, organisation: OrganisationInScope, before: string | undefined): Promise<Account> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (snapshot) => {
      const { limit } = await snapshot
        .selectFrom('organisation')
        .select('credit_limit_paise as limit')
        .where('id', '=', organisation.id)
        .executeTakeFirstOrThrow()
      const gst = await gstinOf(snapshot, organisation.id)
      const balance = await balanceOf(snapshot, organisation.id)
      const found = await entriesBefore(snapshot, organisation.id, before)
      const shown = found.slice(0, ACCOUNT_PAGE).toReversed()
      const after = before === undefined ? 0 : await changeSince(snapshot, organisation.id, before)
      return {
        legal: { name: organisation.name, gst, balance: rupees(balance), limit: rupees(limit) },
        opening: rupees(
          balance - after - shown.reduce((total, { kind, amount }) => total + balanceChange(kind, amount), 0),
        ),
        transactions: shown.map(toTransaction),
        earlier: found.length > shown.length ? cursorOf(shown[0]!) : null,
      }
    })
}

async function entriesBefore(db: Db, organisation: OrganisationId, before: string | undefined): Promise<Entry[]> {
  const { rows } = await selectEntriesBefore(db, organisation, before)
  return rows
}

async function changeSince(db: Db, organisation: OrganisationId, cursor: string): Promise<number> {
  const { rows } = await selectChangeSince(db, organisation, cursor)
  return rows[0]!.change
}

const toTransaction = ({
  date,
  particular,
  kind,
  amount,
  invoiced,
  reference,
}: Entry): Account['transactions'][number] => ({
  date,
  particular,
  kind,
  invoice: invoiced ? rupees(balanceChange(kind, amount)) : null,
  // Subtracted from zero, because the negative of zero is -0.
  payment: invoiced ? null : rupees(0 - balanceChange(kind, amount)),
  id: reference,
})

const cursorOf = ({ date, id }: Entry): string => `${date}.${id}`

const rupees = (paise: number): number => rupeesOfPaise(paise as Paise)
