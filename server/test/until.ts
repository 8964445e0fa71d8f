/**
 * Minimum and maximum milliseconds between two polls, and the pause as a multiple of a poll's duration, so that polling
 * takes a tenth of the time.
 */
const PAUSE = { least: 50, most: 300, looks: 9 }

/** Polls until a condition is true; throws with the last value on timeout. */
export async function until<T>(
  what: string,
  see: () => Promise<T>,
  holds: (seen: T) => boolean,
  ms = 30_000,
): Promise<T> {
  const end = Date.now() + ms
  for (;;) {
    const asked = performance.now()
    const seen = await see()
    if (holds(seen)) return seen
    if (Date.now() > end)
      throw new Error(`Waited ${ms} ms in vain until ${what}: ${JSON.stringify(seen ?? null).slice(0, 2000)}`)
    const pause = Math.min(Math.max(PAUSE.looks * (performance.now() - asked), PAUSE.least), PAUSE.most)
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}
