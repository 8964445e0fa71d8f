import type { Page } from '@playwright/test'

/** Counts the presses of the mouse on a page. Returns a function that returns their number since its last call. */
export async function clicks(page: Page): Promise<() => number> {
  let count = 0
  await page.exposeFunction('noteClick', () => void (count += 1))
  const listen = () =>
    addEventListener('pointerdown', () => (globalThis as { noteClick?: () => void }).noteClick!(), true)
  await page.addInitScript(listen)
  await page.evaluate(listen)
  return () => {
    const counted = count
    count = 0
    return counted
  }
}
