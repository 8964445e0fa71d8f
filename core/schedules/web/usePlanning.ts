import { useState } from 'react'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { newId } from '@trainyard/platform/web/api/new-id.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { useAccessWindow } from '@trainyard/trainings/web/useAccessWindow.ts'
import { schedule } from '../contract/schedule.ts'
import { problemsIn } from '@trainyard/platform/web/forms/problems.ts'
import type { Planned } from './planned.ts'
import { NO_WINDOW, type WindowFields } from './window.ts'

/**
 * Returns the state of the form. The initial value is the current window, because sending a form without a window would
 * remove the training's window.
 */
export function usePlanning(training: TrainingQuery, sent: () => void) {
  const [idempotencyKey, setIdempotencyKey] = useState(newId)
  const [entered, setWindow] = useState<WindowFields | null>(null)
  const { data } = useAccessWindow(training)
  const current = data
    ? {
        restricts: data.loginStart !== null,
        start: data.loginStart ?? '',
        stop: data.loginStop ?? '',
        days: data.loginDays,
      }
    : null
  const window = entered ?? current ?? NO_WINDOW
  const bodyOf = (planned: readonly Planned[]) => ({
    ...training,
    data: {
      schedules: planned.map((entry) => ({ ...entry, status: 'Pending' as const })),
      restrictLogin: {
        restrictUserLogin: window.restricts,
        userAccessOnTime: (window.restricts && window.start) || null,
        userAccessOffTime: (window.restricts && window.stop) || null,
      },
    },
  })
  const problem = Object.values(problemsIn(schedule.create.body, bodyOf([])))[0] ?? null
  const send = useAction((planned: readonly Planned[]) => api.schedule.create(bodyOf(planned), { idempotencyKey }), {
    invalidates: ['schedule', 'accessWindow'],
    onDone: sent,
    onSettled: () => setIdempotencyKey(newId()),
  })
  return { window, setWindow, current, problem, send }
}
