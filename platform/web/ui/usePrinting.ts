import { useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'

const print = matchMedia('print')
let preparing = false

/** Subscribes to the media query, because browsers report a print preview only this way. */
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

/** Returns true while the page is being printed, when virtualised lists must render all rows. */
export const usePrinting = (): boolean => useSyncExternalStore(subscribe, () => preparing || print.matches)
