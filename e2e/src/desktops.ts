import { createHash } from 'node:crypto'
import { expect, type Page } from '@playwright/test'

export const desktopOf = (page: Page) => page.getByRole('region', { name: /^Desktop of / })

/** Returns the desktop's own pixels, as a digest of their picture. */
export const picture = (page: Page): Promise<string> => digestOf(page, "document.querySelector('canvas')")

/** @param canvas an expression that is one */
export async function digestOf(page: Page, canvas: string): Promise<string> {
  const url = await page.evaluate(`(${canvas}).toDataURL('image/png')`)
  return createHash('sha256').update(String(url)).digest('hex')
}

/** Waits until the desktop is as large as the page has room. */
export const fits = (page: Page) =>
  expect
    .poll(() =>
      page.evaluate(`(() => {
        const { width, height, parentElement } = document.querySelector('canvas')
        return width === (parentElement.clientWidth & ~3) && height === (parentElement.clientHeight & ~3)
      })()`),
    )
    .toBe(true)

/** Waits until the desktop shows something else than in `before`; answers that. */
export async function changed(page: Page, before: string): Promise<string> {
  await expect.poll(() => picture(page)).not.toBe(before)
  return settled(page)
}

/** Waits until four pictures in turn are the same: on a crowded machine one may stand while the rest of it is on its way. */
export async function settled(page: Page): Promise<string> {
  let last = ''
  let times = 0
  await expect
    .poll(
      async () => {
        const now = await picture(page)
        times = now === last ? times + 1 : 0
        last = now
        return times
      },
      { intervals: [150] },
    )
    .toBeGreaterThanOrEqual(3)
  return last
}

export const widthOf = (page: Page): Promise<number> => page.evaluate("document.querySelector('canvas').width")

export const heightOf = (page: Page): Promise<number> => page.evaluate("document.querySelector('canvas').height")

/** A canvas of the same size that nothing was drawn on. */
export const EMPTY = `(({ width, height }) => Object.assign(document.createElement('canvas'), { width, height }))(
  document.querySelector('canvas'))`

export const readClipboard = (page: Page): Promise<string> => page.evaluate('navigator.clipboard.readText()')
