import { useQuery } from '@tanstack/react-query'
import { api } from '@trainyard/platform/web/api/client.ts'
import { ApiError } from '@trainyard/platform/web/api/error.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'

/** Fetches the machines of a training, which may not exist yet. @param trainingName null: fetch nothing */
export function useMachinesOf(trainingName: string | null, organization: string) {
  const { role } = useMe()
  const training =
    trainingName === null ? null : role === 'superadmin' ? { trainingName, organization } : { trainingName }
  const { data, error, isFetchedAfterMount } = useQuery({
    ...query(api.machine.list, training),
    retry: false,
    staleTime: 0,
  })
  const isNew = error instanceof ApiError && error.status === 404
  return { machines: isNew ? [] : (data ?? []), isPending: !isFetchedAfterMount, isError: error !== null && !isNew }
}
