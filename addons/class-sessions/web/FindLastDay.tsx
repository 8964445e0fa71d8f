import { useQuery } from '@tanstack/react-query'
import { useLayoutEffect } from 'react'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'

interface FindLastDayProps {
  training: TrainingQuery
  found: (day: string | null) => void
}

export default function FindLastDay({ training, found }: FindLastDayProps) {
  const day = useQuery(query(api.recurrence.list, training)).data?.endsOn ?? null
  useLayoutEffect(() => found(day), [day, found])
  return null
}
