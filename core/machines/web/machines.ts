import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Machine } from '../contract/machine.ts'
import { api, streamUrl } from '@trainyard/platform/web/api/client.ts'
import { useEventStream } from '@trainyard/platform/web/api/event-stream.ts'
import { invalidate, query } from '@trainyard/platform/web/api/queries.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { useAccess } from '@trainyard/trainings/web/useAccessWindow.ts'
import { mergeMachines } from './machine-list.ts'

/** Poll interval in ms: used quota grows while nothing else changes. */
const REFRESH_MS = 60_000

export function useMachines(training: TrainingQuery | null) {
  const cache = useQueryClient()
  const list = query(api.machine.list, training)
  const access = useAccess(training)
  const machines = useQuery({
    ...list,
    enabled: access === true,
    refetchInterval: REFRESH_MS,
  })
  useEventStream<Machine[]>({
    url: training && access === true && machines.isSuccess ? streamUrl('machine', 'watch', training) : null,
    onEvent: (changed) => {
      // While a command is being sent, the list shows the expected status; it is refetched after the reply.
      if (cache.isMutating({ mutationKey: list.queryKey }) > 0) return
      cache.setQueryData(list.queryKey, (before) => before && mergeMachines(before, changed))
    },
    poll: () => void invalidate(api.machine.list),
  })
  return { machines, access }
}
