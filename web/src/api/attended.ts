/** A person who does nothing for this long may be gone. */
const GONE_MS = 60_000

let touchedAt = Date.now()
for (const touch of ['pointerdown', 'keydown', 'wheel']) {
  addEventListener(touch, () => void (touchedAt = Date.now()), { capture: true, passive: true })
}

/** Returns true while somebody uses the page: what it asks by itself does not keep a session alive. */
export const isAttended = (): boolean => Date.now() - touchedAt < GONE_MS
