import type { Page } from '@playwright/test'

/** Function of this process that pages can call. */
declare const noteClicks: (more: number) => Promise<void>

/** Counts the presses of the mouse on a page. Returns a function that returns their number since its last call. */
export async function clicks(page: Page): Promise<() => Promise<number>> {
  let count = 0
  await page.exposeFunction('noteClicks', (more: number) => void (count += more))
  const listen = () => addEventListener('pointerdown', () => void noteClicks(1), true)
  await page.addInitScript(listen)
  await page.evaluate(listen)
  return async () => {
    // Calls arrive in order: after this one, no earlier click is missing.
    await page.evaluate(() => noteClicks(0))
    const counted = count
    count = 0
    return counted
  }
}
