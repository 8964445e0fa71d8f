/** Step of the bar in percent, and minimum interval between steps in ms (spec.md section 9). */
const STEP = 20
export const STEP_MS = 300

export function nextStep(shown: number, done: number, total: number): number {
  const reachedPercent = total === 0 ? 100 : Math.floor((done / total) * (100 / STEP)) * STEP
  return Math.min(shown + STEP, Math.max(shown, reachedPercent))
}
