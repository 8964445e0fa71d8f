/** Waits until something holds, asking again and again; fails with what it last saw. */
export async function until<T>(
  what: string,
  see: () => Promise<T>,
  holds: (seen: T) => boolean,
  ms = 30_000,
): Promise<T> {
  const end = Date.now() + ms
  for (;;) {
    const seen = await see()
    if (holds(seen)) return seen
    if (Date.now() > end)
      throw new Error(`Waited ${ms} ms in vain until ${what}: ${JSON.stringify(seen ?? null).slice(0, 2000)}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
