import { createHash } from 'node:crypto'
import { expect, type Page } from '@playwright/test'

export const desktopOf = (page: Page) => page.getByRole('region', { name: /^Desktop of / })

/** The one bar of the page, with the state of the desktop and its tools. */
export const barOf = (page: Page) => page.getByRole('banner')

export const pictureDigest = (page: Page): Promise<string> => canvasDigest(page, "document.querySelector('canvas')")

/** @param canvas JavaScript expression that evaluates to the canvas */
export async function canvasDigest(page: Page, canvas: string): Promise<string> {
  const url = await page.evaluate(`(${canvas}).toDataURL('image/png')`)
  return createHash('sha256').update(String(url)).digest('hex')
}

export const waitForFit = (page: Page) =>
  expect
    .poll(() =>
      page.evaluate(`(() => {
        const { width, height, parentElement } = document.querySelector('canvas')
        return width === (parentElement.clientWidth & ~3) && height === (parentElement.clientHeight & ~3)
      })()`),
    )
    .toBe(true)

/** Waits until the desktop's picture differs from `before`. Returns the digest of the stable new picture. */
export async function waitForChange(page: Page, before: string): Promise<string> {
  await expect.poll(() => pictureDigest(page)).not.toBe(before)
  return waitForStablePicture(page)
}

/** Waits until four consecutive pictures are equal, because a picture may arrive with pauses. Returns their digest. */
export async function waitForStablePicture(page: Page): Promise<string> {
  let last = ''
  let times = 0
  await expect
    .poll(
      async () => {
        const now = await pictureDigest(page)
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

/** Expression for an empty canvas of the same size. */
export const EMPTY_CANVAS = `(({ width, height }) => Object.assign(document.createElement('canvas'), { width, height }))(
  document.querySelector('canvas'))`

export const readClipboard = (page: Page): Promise<string> => page.evaluate('navigator.clipboard.readText()')
