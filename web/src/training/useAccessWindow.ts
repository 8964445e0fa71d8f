import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { query } from '#src/api/queries.ts'
import type { OfTraining } from '#src/navigation/selection.ts'

/** The times of the day between which learners may use a training's machines; not asked for while none is chosen. */
export const useAccessWindow = (of: OfTraining | null, refetchInterval?: number) =>
  useQuery({ ...query(api.accessWindow.read, of), refetchInterval })
