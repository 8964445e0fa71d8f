import type { Locator } from '@playwright/test'

/**
 * Returns by how much the red and the green component of a text colour exceed the larger of the other two components.
 */
export async function tintOf(locator: Locator): Promise<{ red: number; green: number }> {
  const colour = await locator.evaluate((element) => {
    const pixel = element.ownerDocument.createElement('canvas').getContext('2d')!
    pixel.fillStyle = element.ownerDocument.defaultView!.getComputedStyle(element).color
    pixel.fillRect(0, 0, 1, 1)
    return [...pixel.getImageData(0, 0, 1, 1).data]
  })
  const [red = 0, green = 0, blue = 0] = colour
  return { red: red - Math.max(green, blue), green: green - Math.max(red, blue) }
}
