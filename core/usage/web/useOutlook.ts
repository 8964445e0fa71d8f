import { useQuery } from '@tanstack/react-query'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'

const REFRESH_MS = 60_000

export const useOutlook = (training: TrainingQuery | null) =>
  useQuery({ ...query(api.meter.outlook, training), refetchInterval: REFRESH_MS })
