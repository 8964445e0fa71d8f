import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { query } from '#src/api/queries.ts'
import type { TrainingQuery } from '#src/navigation/selection.ts'

export const useAccessWindow = (training: TrainingQuery | null, refetchInterval?: number) =>
  useQuery({ ...query(api.accessWindow.read, training), refetchInterval })
