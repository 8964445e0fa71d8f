import { useLayoutEffect } from 'react'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import type { NextStop } from '@trainyard/home/web/next-stop.ts'
import { useOwnClasses } from './own-class.ts'
import { plannedStopsOf } from './planned-stops.ts'

interface PlannedStopsProps {
  training: TrainingQuery
  vmName: string | null
  found: (stops: readonly NextStop[]) => void
}

export default function PlannedStops({ training, vmName, found }: PlannedStopsProps) {
  const own = useOwnClasses().find(({ trainingName }) => trainingName === training.trainingName)
  useLayoutEffect(() => found(plannedStopsOf(own, vmName)), [own, vmName, found])
  return null
}
