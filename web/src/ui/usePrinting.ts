import { useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'

const print = matchMedia('print')
let preparing = false

/**
 * A browser that prints takes the page as it stands when `beforeprint` returns; one that shows how paper would look
 * says so by the media query alone.
 */
function subscribe(changed: () => void) {
  const before = () => {
    preparing = true
    flushSync(changed)
  }
  const after = () => {
    preparing = false
    changed()
  }
  addEventListener('beforeprint', before)
  addEventListener('afterprint', after)
  print.addEventListener('change', changed)
  return () => {
    removeEventListener('beforeprint', before)
    removeEventListener('afterprint', after)
    print.removeEventListener('change', changed)
  }
}

/** Returns true while the page is being printed: then all rows of a list are wanted, not only those in sight. */
export const usePrinting = (): boolean => useSyncExternalStore(subscribe, () => preparing || print.matches)
