/** Milliseconds between two looks, at least and at most; and how many times what a look takes, so that looks take a tenth. */
const PAUSE = { least: 50, most: 300, looks: 9 }

/** Waits until something holds, asking again and again; fails with what it last saw. */
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
