import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { query } from '#src/api/queries.ts'
import { useMe } from '#src/session/me.ts'

export interface Credit {
  /** Owed; below zero: paid ahead. In rupees, as all here. */
  readonly balance: number
  readonly limit: number
  /** What of the limit is not owed yet. */
  readonly left: number
}

/** What an organisation's account has for an order; undefined until it is known. */
export function useCredit(organization: string): Credit | undefined {
  const { role } = useMe()
  const account = useQuery({
    ...query(api.account.read, role === 'superadmin' ? { organization } : {}),
    select: ({ legal: { balance, limit } }) => ({ balance, limit, left: limit - balance }),
  })
  return account.data
}
