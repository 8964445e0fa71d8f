import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Machine } from '@trainyard/contract/calls/machine.ts'
import { api, streamUrl } from '#src/api.ts'
import { useLive } from '#src/live.ts'
import type { OfTraining } from '#src/chosen.ts'
import { mergeMachines } from './merge.ts'

export const machinesKey = (of: OfTraining | null) => ['machines', of?.organization ?? null, of?.trainingName] as const

/** Used quota grows while nothing else changes: it is asked for this often. */
const REFRESH_MS = 60_000

/** A training's machines, kept true by the stream of their changes. */
export function useMachines(of: OfTraining | null) {
  const cache = useQueryClient()
  const key = machinesKey(of)
  const machines = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => api.machine.list(of!, { signal }),
    enabled: of !== null,
    refetchInterval: REFRESH_MS,
  })
  useLive<Machine[]>({
    url: of && machines.isSuccess ? streamUrl('machine', 'watch', of) : null,
    onEvent: (changed) => cache.setQueryData<Machine[]>(key, (list) => list && mergeMachines(list, changed)),
    poll: () => void cache.invalidateQueries({ queryKey: key }),
  })
  return machines
}
