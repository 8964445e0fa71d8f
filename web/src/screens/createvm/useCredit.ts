import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { query } from '#src/api/queries.ts'
import { useMe } from '#src/session/me.ts'

export interface Credit {
  /** Owed, in rupees like all here; below zero: paid ahead. */
  readonly balance: number
  readonly limit: number
  /** The part of the limit that is not owed yet. */
  readonly left: number
}

/** Returns the credit that an organisation has for an order; undefined until it is known. */
export function useCredit(organization: string): Credit | undefined {
  const { role } = useMe()
  const account = useQuery({
    ...query(api.ledger.account, role === 'superadmin' ? { organization } : {}),
    select: ({ legal: { balance, limit } }) => ({ balance, limit, left: limit - balance }),
  })
  return account.data
}
