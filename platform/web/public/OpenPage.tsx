import { useEffect, type ReactNode } from 'react'

declare global {
  /**
   * Returns the button that the user pressed before the application had loaded, if any, and ends the waiting. Set by the
   * page's inline script.
   */
  var takePressed: (() => HTMLElement | undefined) | undefined
}

/** Wraps an open screen. Repeats what the user pressed before it worked, and prefetches the application. */
export function OpenPage({ children }: { children: ReactNode }) {
  useEffect(() => {
    const pressed = globalThis.takePressed?.()
    // Handlers may render at once, which React allows only outside of effects.
    if (pressed) queueMicrotask(() => pressed.click())
    addEventListener('input', prefetchApplication, { once: true })
    return () => removeEventListener('input', prefetchApplication)
  }, [])
  return children
}

/** Prefetches the files of the first screen after a sign-in, which the build lists in the page. */
function prefetchApplication(): void {
  for (const file of (document.body.dataset['app'] ?? '').split(' ').filter(Boolean)) {
    const rel = file.endsWith('.js') ? 'modulepreload' : 'prefetch'
    document.head.append(Object.assign(document.createElement('link'), { rel, href: file }))
  }
}
