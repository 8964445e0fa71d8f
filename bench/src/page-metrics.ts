/** Measurements of the script below in milliseconds, except `shift`, which has no unit. */
export interface PageMetrics {
  readonly paint: number
  readonly ready: number
  readonly blocked: number
  readonly shift: number
}

export const metricsScript = (readyAt: string): string => `
  globalThis.watched = { paint: 0, ready: 0, blocked: 0, shift: 0 }
  const observe = (type, see) =>
    new PerformanceObserver((list) => list.getEntries().forEach(see)).observe({ type, buffered: true })
  observe('largest-contentful-paint', (entry) => { watched.paint = entry.startTime })
  observe('longtask', (entry) => { watched.blocked += entry.duration - 50 })
  observe('layout-shift', (entry) => { watched.shift += entry.value })
  const look = () => {
    if (document.querySelector(${JSON.stringify(readyAt)}) === null) requestAnimationFrame(look)
    else requestAnimationFrame(() => { watched.ready = performance.now() })
  }
  requestAnimationFrame(look)
`
