import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ClassView } from '@trainyard/contract/calls/classroom.ts'
import { api, streamUrl } from '#src/api/client.ts'
import { useEventStream } from '#src/api/event-stream.ts'
import { invalidate, query } from '#src/api/queries.ts'
import type { TrainingQuery } from '#src/navigation/selection.ts'
import { mergeClass } from './seats.ts'

/** Poll interval in ms: measurements age while nothing else changes. */
const REFRESH_MS = 60_000

/** Queries a training's class and keeps it current with the event stream. */
export function useClass(of: TrainingQuery | null) {
  const cache = useQueryClient()
  const list = query(api.classroom.list, of)
  const room = useQuery({ ...list, refetchInterval: REFRESH_MS })
  useEventStream<ClassView>({
    url: of && room.isSuccess ? streamUrl('classroom', 'watch', of) : null,
    onEvent: (changed) => cache.setQueryData(list.queryKey, (before) => before && mergeClass(before, changed)),
    poll: () => void invalidate(api.classroom.list),
  })
  return room
}
