import { useQuery } from '@tanstack/react-query'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'

export interface CreditLimit {
  /** Balance owed in rupees; negative if prepaid. */
  readonly balance: number
  readonly limit: number
  readonly left: number
}

export function useCreditLimit(organization: string) {
  const { role } = useMe()
  return useQuery({
    ...query(api.ledger.account, role === 'superadmin' ? { organization } : {}),
    select: ({ legal: { balance, limit } }): CreditLimit => ({ balance, limit, left: limit - balance }),
  })
}
