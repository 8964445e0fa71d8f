/** Number of sample points along each side. */
const POINTS = 8

/** Calls `seen` once all parts of a canvas are drawn. Returns a function that cancels the wait. */
export function onFirstFrame(canvas: HTMLCanvasElement, seen: () => void): () => void {
  const look = document.createElement('canvas')
  look.width = look.height = POINTS
  const context = look.getContext('2d', { willReadFrequently: true })!
  let waiting = 0
  const wait = () => {
    context.drawImage(canvas, 0, 0, POINTS, POINTS)
    const { data } = context.getImageData(0, 0, POINTS, POINTS)
    // Every fourth byte is a pixel's alpha: 0 where nothing was drawn.
    if (data.every((value, at) => at % 4 !== 3 || value === 255)) seen()
    else waiting = requestAnimationFrame(wait)
  }
  waiting = requestAnimationFrame(wait)
  return () => cancelAnimationFrame(waiting)
}
