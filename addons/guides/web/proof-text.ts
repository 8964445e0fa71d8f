import type { LastProof } from '../contract/guide.ts'
import type { FaultKind } from '../contract/proof-words.ts'
import { countOf } from '@trainyard/platform/web/ui/count-of.ts'
import type { Signal } from '@trainyard/platform/web/ui/Lamp.tsx'
import { formatDay, timeOfDay, today } from '@trainyard/platform/web/ui/time.ts'

/** Poll interval in ms while a proof is running. */
export const PROVING_MS = 5_000

interface ProofText {
  readonly signal: Signal
  readonly label: string
}

/** Returns a time of day for today, and otherwise a day: 02:10, 28 Nov. */
export function momentOf(at: string, timeZone: string): string {
  const day = today(new Date(at), timeZone)
  return day === today(new Date(), timeZone) ? timeOfDay(new Date(at), timeZone) : formatDay(day)
}

/** Returns the state of a version's proof in words: "Proven 02:10 on Debian 12", "2 faults", "Proving, step 2 of 4". */
export function proofText(proof: LastProof | null, steps: number, timeZone: string): ProofText {
  if (proof === null) return { signal: 'gone', label: 'Not proven' }
  const { state, phase, step, templateName, isStale, faults } = proof
  switch (state) {
    case 'running':
      return { signal: 'moving', label: `Proving, ${placeOf(phase, step, steps)}` }
    case 'proven':
      return isStale
        ? { signal: 'still', label: `Proven on an older ${templateName}` }
        : { signal: 'clear', label: `Proven ${momentOf(proof.at, timeZone)} on ${templateName}` }
    case 'faulty':
      return { signal: 'danger', label: countOf(faults, 'fault') }
    case 'incomplete':
      return { signal: 'still', label: faults > 0 ? `Incomplete, ${countOf(faults, 'task')}` : 'Incomplete' }
    case 'not run':
      return { signal: 'gone', label: 'Not run' }
  }
}

function placeOf(phase: LastProof['phase'], step: number, steps: number): string {
  if (phase === 'waiting' || phase === 'starting') return 'machine starts'
  if (phase === 'restarting') return 'machine restarts'
  return step === 0 ? 'setup' : `step ${step} of ${steps}`
}

export const FAULT_WORDS: Readonly<Record<FaultKind, string>> = {
  'never-red': 'Done before its solution ran',
  broken: 'Broken script',
  'guard-red': 'Guard not met before the solution',
  'not-green': 'Not done after its solution',
  flaky: 'Done and not done in turn',
  'solve-failed': 'The solution failed',
  'setup-failed': 'The setup failed',
  'setup-not-repeatable': 'The setup failed the second time',
  'no-solve': 'No solution',
  'lost-at-end': 'Done, but no longer at the end',
  'lost-at-restart': 'Done, but no longer after a restart',
}
