import type { LastProof } from '../contract/guide.ts'
import { CHANGES_SHOWN, type FaultKind } from '../contract/proof-words.ts'
import { countOf } from '@trainyard/platform/web/ui/count-of.ts'
import type { Signal } from '@trainyard/platform/web/ui/Lamp.tsx'
import { formatDay, timeOfDay, today } from '@trainyard/platform/web/ui/time.ts'

/** Poll interval in ms while a proof is running. */
export const PROVING_MS = 5_000

export const SIGNALS: Readonly<Record<LastProof['state'], Signal>> = {
  running: 'moving',
  proven: 'clear',
  faulty: 'danger',
  incomplete: 'still',
  'not run': 'gone',
}

/** Returns a time of day for today, and otherwise a day: 02:10, 28 Nov. */
export function momentOf(at: string, timeZone: string): string {
  const day = today(new Date(at), timeZone)
  return day === today(new Date(), timeZone) ? timeOfDay(new Date(at), timeZone) : formatDay(day)
}

/** Returns the state of a version's proof in words: "Proven 02:10 on Debian 12", "2 faults", "Proving, step 2 of 4". */
export function proofText(proof: LastProof | null, steps: number, timeZone: string): { signal: Signal; label: string } {
  if (proof === null) return { signal: 'gone', label: 'Not proven' }
  const { state, templateName, faults } = proof
  if (state === 'proven' && proof.isStale) return { signal: 'still', label: `Proven on an older ${templateName}` }
  const labels = {
    running: `Proving, ${placeOf(proof.phase, proof.step, steps)}`,
    proven: `Proven ${momentOf(proof.at, timeZone)} on ${templateName}`,
    faulty: countOf(faults, 'fault'),
    incomplete: faults > 0 ? `Incomplete, ${countOf(faults, 'task')}` : 'Incomplete',
    'not run': 'Not run',
  }
  return { signal: SIGNALS[state], label: labels[state] }
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

/** Returns changed files or packages, of which there can be more than are shown. */
export const listOf = (changes: readonly string[]) =>
  [...changes.slice(0, CHANGES_SHOWN), ...(changes.length > CHANGES_SHOWN ? ['and more'] : [])].join(', ')
