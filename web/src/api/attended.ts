/** Time without input, in ms, after which the user counts as absent. */
const IDLE_MS = 60_000

let touchedAt = Date.now()
for (const touch of ['pointerdown', 'keydown', 'wheel']) {
  addEventListener(touch, () => void (touchedAt = Date.now()), { capture: true, passive: true })
}

/** Returns true while the user is active. Background calls of an inactive page do not extend the session. */
export const isUserActive = (): boolean => Date.now() - touchedAt < IDLE_MS
