import { useQuery } from '@tanstack/react-query'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'

export interface CreditLimit {
  /** In rupees. */
  readonly left: number
}

/** Returns the credit that is left, the same figure as in `Ahead`, in rupees and as the server reports it. @param trainingName empty for a new training */
export function useCreditLimit(organization: string, trainingName: string) {
  const { role } = useMe()
  return useQuery({
    ...query(api.meter.outlook, {
      ...(role === 'superadmin' && { organization }),
      ...(trainingName !== '' && { trainingName }),
    }),
    select: ({ credit }) => ({ left: (credit?.leftPaise ?? 0) / 100, credit }),
  })
}
