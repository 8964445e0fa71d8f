import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api.ts'
import type { OfTraining } from '#src/chosen.ts'

/** Invalidate what begins with it after a window was changed. */
export const accessWindowKey = 'access window'

/** The times of the day between which learners get to a training's machines; nothing is asked while none is chosen. */
export const useAccessWindow = (of: OfTraining | null, refetchInterval?: number) =>
  useQuery({
    queryKey: [accessWindowKey, of],
    queryFn: ({ signal }) => api.accessWindow.read(of!, { signal }),
    enabled: of !== null,
    refetchInterval,
  })
