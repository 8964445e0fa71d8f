import type { Guide, GuideStep, GuideTask } from '../format/schema.ts'
import { stepsFor } from '../run/own-run.ts'

/** A part of a proof. Its scripts run without an interruption, or the proof begins again on another machine. */
export type Part =
  | { readonly kind: 'setup' | 'sweep' | 'end' | 'restart' | 'restarted' }
  | { readonly kind: 'step'; readonly step: GuideStep }
  | { readonly kind: 'task'; readonly step: GuideStep; readonly task: GuideTask }

export interface PlacedTask {
  readonly step: GuideStep
  readonly task: GuideTask
}

export interface ProofPlan {
  readonly parts: readonly Part[]
  readonly tasks: readonly PlacedTask[]
  /** Tasks without a solution, and tasks that need one of them. */
  readonly unsolved: ReadonlySet<string>
}

/** Returns the parts of a proof in their order. */
export function planOf(guide: Guide, variables: Readonly<Record<string, string>>): ProofPlan {
  const steps = stepsFor(guide, variables)
  const tasks = steps.flatMap((step) => (step.tasks ?? []).map((task) => ({ step, task })))
  const unsolved = new Set<string>()
  // A task needs earlier tasks only.
  for (const { task } of tasks)
    if ((task.solve ?? []).length === 0 || (task.needs ?? []).some((need) => unsolved.has(need))) unsolved.add(task.id)
  const survives = tasks.some(({ task }) => task.checks.some(({ after_reboot }) => after_reboot))
  return {
    tasks,
    unsolved,
    parts: [
      { kind: 'setup' },
      { kind: 'sweep' },
      ...steps.flatMap((step): Part[] => [
        ...((step.setup ?? []).length > 0 ? [{ kind: 'step', step } as const] : []),
        ...(step.tasks ?? []).map((task) => ({ kind: 'task', step, task }) as const),
      ]),
      { kind: 'end' },
      ...(survives ? [{ kind: 'restart' } as const, { kind: 'restarted' } as const] : []),
    ],
  }
}
