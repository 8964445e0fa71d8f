import { useEffect, useState } from 'react'
import { ALERTS } from '@trainyard/platform/contract/words/problems.ts'
import { invalidate } from '@trainyard/platform/web/api/queries.ts'
import { notify } from '@trainyard/platform/web/ui/notices.ts'
import type { LabUser, LabUserSource } from '../lab-users.ts'
import { createAll, type Outcome } from './create-all.ts'
import { nextStep, STEP_MS } from './pace.ts'
import type { Plan } from './plan.ts'

export interface Bulk {
  readonly plan: Plan
  readonly outcomes: ReadonlyMap<number, Outcome>
  readonly total: number
  /** `done`: all rows were sent and the list of users was fetched. `stopped`: the user or an error ended the run. */
  readonly state: 'running' | 'stopped' | 'done'
  /** Error that stopped the run; null if the user stopped it. */
  readonly error: string | null
  readonly shown: number
}

interface Control {
  readonly bulk: Bulk | null
  readonly start: (plan: Plan) => void
  readonly stop: () => void
  readonly resume: () => void
}

/** Runs a list of users and reports its progress. Unmounting stops the run. */
export function useBulk(source: LabUserSource<LabUser>): Control {
  const [bulk, setBulk] = useState<Bulk | null>(null)
  const [stopping, setStopping] = useState<AbortController | null>(null)
  const { state, shown = 0 } = bulk ?? {}
  const moves = state === 'running' || (state === 'done' && shown < 100)

  useEffect(() => {
    if (!moves) return undefined
    const timer = setInterval(
      () => setBulk((now) => now && { ...now, shown: nextStep(now.shown, ...doneOf(now)) }),
      STEP_MS,
    )
    return () => clearInterval(timer)
  }, [moves])
  useEffect(() => {
    if (state !== 'running') return undefined
    const preventUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', preventUnload)
    return () => window.removeEventListener('beforeunload', preventUnload)
  }, [state])
  useEffect(() => () => stopping?.abort(), [stopping])

  const run = async (plan: Plan, before: ReadonlyMap<number, Outcome>) => {
    const entries = [...plan.valid, ...plan.existing].toSorted((a, b) => a.line - b.line)
    const outcomes = new Map(before)
    const stopper = new AbortController()
    setStopping(stopper)
    const change = (part: Partial<Bulk>) => setBulk((now) => now && { ...now, ...part })
    setBulk((now) => ({
      plan,
      outcomes,
      total: entries.length,
      state: 'running',
      error: null,
      shown: now?.shown ?? 0,
    }))
    try {
      const ended = await createAll({
        entries,
        existingLines: new Set(plan.existing.map(({ line }) => line)),
        source,
        outcomes,
        settle(line, outcome) {
          outcomes.set(line, outcome)
          change({ outcomes })
        },
        signal: stopper.signal,
      })
      change({ state: ended ? 'done' : 'stopped' })
    } catch (error) {
      const reason = error instanceof Error ? error.message : ALERTS.bulkUserFailed
      change({ state: 'stopped', error: reason })
      notify.alert(ALERTS.bulkUserFailed)
    }
    await invalidate(source.list)
  }
  return {
    bulk,
    start: (plan) => void run(plan, new Map()),
    stop: () => stopping?.abort(),
    resume: () => bulk && void run(bulk.plan, bulk.outcomes),
  }
}

/** Counts the final read of the user list as one step. */
const doneOf = ({ outcomes, total, state }: Bulk): [done: number, total: number] => [
  outcomes.size + (state === 'done' ? 1 : 0),
  total + 1,
]
