/** The bar steps by so much, and no faster than this (spec.md section 9). */
const STEP = 20
export const STEP_MS = 300

/** Where the bar goes next: one step ahead, and never beyond what is done. At 100 only when all is. */
export function nextStep(shown: number, done: number, total: number): number {
  const reached = total === 0 ? 100 : Math.floor((done / total) * (100 / STEP)) * STEP
  return Math.min(shown + STEP, Math.max(shown, reached))
}
