import { useQueries, useQuery } from '@tanstack/react-query'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import type { accessWindow } from '../contract/training.ts'
import { momentIn, msUntilNext } from './daily-window.ts'

type AccessWindow = ReplyOf<typeof accessWindow.read>

const REFRESH_MS = 60_000
/** Time for which the clock of the browser may be ahead, in ms. */
const MARGIN_MS = 1_000

/** The window is fetched every minute, because it can be changed or extended, and when it opens or closes. */
const windowQuery = (training: TrainingQuery | null) => ({
  ...query(api.accessWindow.read, training),
  refetchInterval: ({ state: { data } }: { state: { data?: AccessWindow | undefined } }) =>
    data === undefined ? REFRESH_MS : Math.min(REFRESH_MS, msUntilChange(data, new Date()) + MARGIN_MS),
})

export const useAccessWindow = (training: TrainingQuery | null) => useQuery(windowQuery(training))

function msUntilChange({ loginStart, loginStop, loginDays, timeZone, extendedUntil }: AccessWindow, now: Date): number {
  if (loginStart === null || loginStop === null) return Infinity
  const extension = extendedUntil === null ? 0 : new Date(extendedUntil).getTime() - now.getTime()
  return extension > 0
    ? extension
    : msUntilNext({ start: loginStart, stop: loginStop, days: loginDays }, momentIn(now, timeZone), now)
}

/** True if the server lets a user read a training now; null until the answer arrives. */
export type Access = boolean | null

/** Access windows limit learners, except instructors of the training. */
export function useAccessTo(trainings: readonly TrainingQuery[]): readonly Access[] {
  const { role, instructorOf } = useMe()
  const limited = trainings.map((training) =>
    role === 'user' && instructorOf?.includes(training.trainingName) !== true ? training : null,
  )
  return useQueries({ queries: limited.map(windowQuery) }).map(({ data, isError }, place) => {
    if (limited[place] === null) return true
    // The read of the screen says why the window could not be fetched.
    if (data === undefined) return isError || null
    return data.opening === null || (instructorOf === null ? null : false)
  })
}

export const useAccess = (training: TrainingQuery | null): Access =>
  useAccessTo(training === null ? [] : [training])[0] ?? null
