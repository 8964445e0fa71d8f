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

/** Asks for the credit that an organisation has for an order. */
export function useCredit(organization: string) {
  const { role } = useMe()
  return useQuery({
    ...query(api.ledger.account, role === 'superadmin' ? { organization } : {}),
    select: ({ legal: { balance, limit } }): Credit => ({ balance, limit, left: limit - balance }),
  })
}
