import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { query } from '#src/api/queries.ts'
import type { TrainingQuery } from '#src/navigation/selection.ts'

const REFRESH_MS = 60_000

/** Fetches the access window every minute: it can be changed or extended. */
export const useAccessWindow = (training: TrainingQuery | null) =>
  useQuery({ ...query(api.accessWindow.read, training), refetchInterval: REFRESH_MS })
