/** Points of a picture that are looked at, along each of its sides. */
const POINTS = 8

/** Calls `seen` once something is drawn on all parts of a canvas. Returns what gives up waiting for it. */
export function onFirstFrame(canvas: HTMLCanvasElement, seen: () => void): () => void {
  const look = document.createElement('canvas')
  look.width = look.height = POINTS
  const context = look.getContext('2d', { willReadFrequently: true })!
  let waiting = 0
  const wait = () => {
    context.drawImage(canvas, 0, 0, POINTS, POINTS)
    const { data } = context.getImageData(0, 0, POINTS, POINTS)
    // Red, green, blue and how opaque a point is: nothing was drawn on one that is clear.
    if (data.every((value, at) => at % 4 !== 3 || value === 255)) seen()
    else waiting = requestAnimationFrame(wait)
  }
  waiting = requestAnimationFrame(wait)
  return () => cancelAnimationFrame(waiting)
}
