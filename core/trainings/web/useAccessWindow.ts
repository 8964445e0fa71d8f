import { useQuery } from '@tanstack/react-query'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'

const REFRESH_MS = 60_000

/** Fetches the access window every minute: it can be changed or extended. */
export const useAccessWindow = (training: TrainingQuery | null) =>
  useQuery({ ...query(api.accessWindow.read, training), refetchInterval: REFRESH_MS })
