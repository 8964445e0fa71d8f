/**
 * Minimum and maximum milliseconds between two polls, and the pause as a multiple of a poll's duration, so that polling
 * takes a tenth of the time.
 */
const PAUSE = { min: 50, max: 300, factor: 9 }

/** Polls until a condition is true; throws with the last value on timeout. */
export async function until<T>(
  description: string,
  read: () => Promise<T>,
  condition: (value: T) => boolean,
  ms = 120_000,
): Promise<T> {
  const end = Date.now() + ms
  for (;;) {
    const started = performance.now()
    const value = await read()
    if (condition(value)) return value
    if (Date.now() > end)
      throw new Error(
        `Timed out after ${ms} ms waiting until ${description}: ${JSON.stringify(value ?? null).slice(0, 2000)}`,
      )
    const pause = Math.min(Math.max(PAUSE.factor * (performance.now() - started), PAUSE.min), PAUSE.max)
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}
